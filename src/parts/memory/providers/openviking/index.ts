import type { MemoryProviderRegistration } from '../../../../contracts/memory-provider.ts';

export const openVikingProvider: MemoryProviderRegistration = {
  description: 'OpenViking: a server of your own that keeps memories, sessions and documents as a tree',
  open: async (options) => (await import('./provider.ts')).openOpenViking(options),
};
