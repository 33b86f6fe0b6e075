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
    describe: 'Seconds of silence in the middle of an answer before the call is given up. Any byte counts.',
    source: 'reference core §2.8 (stream stale, 180 s)',
  },
  'stream.first_byte_timeout': {
    kind: 'number',
    default: 120,
    min: 0.01,
    max: LONGEST_WAIT,
    env: 'HERMES_API_CALL_STALE_TIMEOUT',
    describe: 'Seconds a provider may take before the first byte of its answer.',
    source: 'reference core §2.8 (90–240 s by size; one figure here)',
  },
  'stream.connect_timeout': {
    kind: 'number',
    default: 15,
    min: 0.01,
    max: LONGEST_WAIT,
    describe: 'Seconds a connection to the provider may take.',
    source: 'ours: beyond this a host does not answer at all',
  },
  'stream.total_timeout': {
    kind: 'number',
    default: 1800,
    min: 0.01,
    max: 2_000_000,
    env: 'HERMES_API_TIMEOUT',
    describe: 'Seconds one call may take in all, however often the provider pings.',
    source: 'reference core §2.8 (HTTP total 1,800 s)',
  },
  'stream.local_timeout': {
    kind: 'number',
    default: 900,
    min: 0.01,
    max: LONGEST_WAIT,
    describe: 'Seconds for both deadlines when the model runs on this machine or network, where reading a long prompt can take minutes.',
    source: 'reference core §2.8 (agent.local_stream_stale_timeout)',
  },
  credential_pool_strategy: {
    kind: 'choice',
    default: 'fill_first',
    choices: ['fill_first', 'round_robin', 'least_used', 'random'],
    describe: 'Which of several keys of one provider is used next.',
    source: 'reference core §2.6',
  },
} as const satisfies SettingsSlice;
