import type { MemoryProviderRegistration } from '../../../contracts/memory-provider.ts';

/** Loaded when it is the memory in use; `--help` and the first request without it pay nothing. */
export const journalMemory: MemoryProviderRegistration = {
  description: 'facts of earlier sessions, kept and searched on this machine without a model',
  needsNoSetup: true,
  open: async (options) => (await import('./journal.ts')).createJournal(options),
  commands: async () => (await import('./commands.ts')).JOURNAL_COMMANDS,
};
