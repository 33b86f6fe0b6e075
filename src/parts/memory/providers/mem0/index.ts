import type { MemoryProviderRegistration } from '../../../../contracts/memory-provider.ts';

export const mem0Provider: MemoryProviderRegistration = {
  description: 'Mem0: facts that a service extracts from what is said, found by meaning (needs a key)',
  open: async (options) => (await import('./provider.ts')).openMem0(options),
};
