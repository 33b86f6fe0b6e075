import type { SettingsSlice } from '../../contracts/settings.ts';

/** Seconds; a timer that is set for longer than 2³¹ ms goes off at once. */
const LONGEST_WAIT = 2_000_000;

/** Deadlines of a model call, in seconds, and how several keys of a provider are used. */
export const providerSettings = {
  'stream.idle_timeout': {
    kind: 'number',
    default: 180,
    min: 0.01,
    max: LONGEST_WAIT,
    env: 'HERMES_STREAM_STALE_TIMEOUT',
    describe: 'Timeout in seconds when an answer stops arriving. Any byte resets it.',
  },
  'stream.first_byte_timeout': {
    kind: 'number',
    default: 120,
    min: 0.01,
    max: LONGEST_WAIT,
    env: 'HERMES_API_CALL_STALE_TIMEOUT',
    describe: 'Timeout in seconds for the first byte of an answer.',
  },
  'stream.connect_timeout': {
    kind: 'number',
    default: 15,
    min: 0.01,
    max: LONGEST_WAIT,
    describe: 'Timeout in seconds for connecting to the provider.',
  },
  'stream.total_timeout': {
    kind: 'number',
    default: 1800,
    min: 0.01,
    max: 2_000_000,
    env: 'HERMES_API_TIMEOUT',
    describe: 'Timeout in seconds for a whole model call.',
  },
  'stream.local_timeout': {
    kind: 'number',
    default: 900,
    min: 0.01,
    max: LONGEST_WAIT,
    describe:
      'Default of `stream.idle_timeout` and `stream.first_byte_timeout`, in seconds, if the model runs on this machine or network. Reading a long prompt can take minutes there.',
  },
  credential_pool_strategy: {
    kind: 'choice',
    default: 'fill_first',
    choices: ['fill_first', 'round_robin', 'least_used', 'random'],
    describe: 'Which key to use next if a provider has several.',
  },
} as const satisfies SettingsSlice;
