import type { MemoryProviderRegistration } from '../../../../contracts/memory-provider.ts';

export const hindsightProvider: MemoryProviderRegistration = {
  description: 'Hindsight: a bank of facts and entities for each person, in the cloud or on a server of your own',
  open: async (options) => (await import('./provider.ts')).openHindsight(options),
};
