import { ownersAlone, type SettingsSlice, type SliceValues } from '../../contracts/settings.ts';

export const memorySettings = ownersAlone({
  'memory.memory_enabled': {
    kind: 'boolean',
    default: true,
    describe: 'Use the notes of the agent (memories/MEMORY.md): show them in the prompt, and let the memory tool change them.',
  },
  'memory.user_profile_enabled': {
    kind: 'boolean',
    default: true,
    describe: 'Use the notes about you (memories/USER.md): show them in the prompt, and let the memory tool change them.',
  },
  'memory.memory_char_limit': {
    kind: 'integer',
    default: 2_200,
    min: 100,
    max: 1_000_000,
    describe: 'Maximum length of MEMORY.md, in characters. The whole file is part of every prompt.',
  },
  'memory.user_char_limit': {
    kind: 'integer',
    default: 1_375,
    min: 100,
    max: 1_000_000,
    describe: 'Maximum length of USER.md, in characters. The whole file is part of every prompt.',
  },
  'memory.provider': {
    kind: 'string',
    default: '',
    describe:
      'An additional memory: the name of a provider, as `hermes memory setup` lists them. `session_log` adds passages of earlier sessions to a message. Empty means none.',
  },
  'auxiliary.memory.model': {
    kind: 'string',
    default: '',
    describe:
      'The model that writes down facts for the memory provider when a session ends. Choose a cheap one. Empty: facts are found by rules, without a model.',
  },
  'auxiliary.memory.provider': {
    kind: 'string',
    default: 'auto',
    describe: 'The provider of that model. `auto` means the provider of your main model.',
  },
  'memory.guests': {
    kind: 'boolean',
    default: false,
    describe:
      'Let a memory provider that keeps people apart serve guests and groups too: it learns from them, and each recalls only what was learned from that very person or group. Your own memory is never shown there.',
  },
} as const satisfies SettingsSlice);

export type MemorySettings = SliceValues<typeof memorySettings>;
