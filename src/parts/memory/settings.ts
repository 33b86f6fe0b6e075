import type { SettingsSlice, SliceValues } from '../../contracts/settings.ts';

export const memorySettings = {
  'memory.memory_enabled': {
    kind: 'boolean',
    default: true,
    describe: "The agent's own notes (memories/MEMORY.md): shown in the prompt and writable by the memory tool.",
    source: 'reference tools-and-cli §6.8 (true)',
  },
  'memory.user_profile_enabled': {
    kind: 'boolean',
    default: true,
    describe: 'What the agent knows of its user (memories/USER.md): shown in the prompt and writable by the memory tool.',
    source: 'reference tools-and-cli §6.8 (true)',
  },
  'memory.memory_char_limit': {
    kind: 'integer',
    default: 2_200,
    min: 100,
    max: 1_000_000,
    describe: 'Characters MEMORY.md may take, separators counted. All of it stands in every prompt.',
    source: 'reference tools-and-cli §3.1 (2,200)',
  },
  'memory.user_char_limit': {
    kind: 'integer',
    default: 1_375,
    min: 100,
    max: 1_000_000,
    describe: 'Characters USER.md may take, separators counted. All of it stands in every prompt.',
    source: 'reference tools-and-cli §3.1 (1,375)',
  },
  'memory.provider': {
    kind: 'string',
    default: '',
    describe:
      'An external memory beside the two files: session_log recalls passages of earlier sessions beside a message. Empty means none.',
    source: 'reference tools-and-cli §3.4 (memory.provider); session_log is ours',
  },
} as const satisfies SettingsSlice;

export type MemorySettings = SliceValues<typeof memorySettings>;
