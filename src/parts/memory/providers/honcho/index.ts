import type { MemoryProviderRegistration } from '../../../../contracts/memory-provider.ts';

export const honchoProvider: MemoryProviderRegistration = {
  description: 'Honcho: a picture of each person that a service reasons out, in the cloud or on a server of your own',
  open: async (options) => (await import('./provider.ts')).openHoncho(options),
  commands: async () => (await import('./commands.ts')).HONCHO_COMMANDS,
};
