import type { MemoryProviderRegistration } from '../../../../contracts/memory-provider.ts';

export const supermemoryProvider: MemoryProviderRegistration = {
  description: 'Supermemory: a profile and memories that a service makes of what is said (needs a key)',
  open: async (options) => (await import('./provider.ts')).openSupermemory(options),
};
