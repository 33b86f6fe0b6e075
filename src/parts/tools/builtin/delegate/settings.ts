import type { SettingsSlice } from '../../../../contracts/settings.ts';

export const delegationSettings = {
  'delegation.max_concurrent_children': {
    kind: 'integer',
    default: 3,
    min: 1,
    max: 16,
    describe: 'Children that work at the same time; more tasks wait.',
    source: 'reference tools-and-cli §0.2 (3 in the era of the seeds)',
  },
  'delegation.max_iterations': {
    kind: 'integer',
    default: 50,
    min: 1,
    describe: 'Model calls of one child.',
    source: 'reference tools-and-cli §1.11 (50 in the era of the seeds)',
  },
  'delegation.max_spawn_depth': {
    kind: 'integer',
    default: 1,
    min: 0,
    max: 4,
    describe: 'How deep children may have children of their own: 1 means only your own session has any.',
    source: 'reference tools-and-cli §6.8 (1)',
  },
  'delegation.max_summary_chars': {
    kind: 'integer',
    default: 24_000,
    min: 1_000,
    describe: 'Characters of one child’s report; the rest stays in its session.',
    source: 'reference tools-and-cli §1.11 (24,000)',
  },
  'delegation.child_timeout_seconds': {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 2_000_000,
    describe: 'Seconds a child may take in all; 0 means as long as it works.',
    source: 'reference tools-and-cli §6.8 (0)',
  },
  'delegation.idle_seconds': {
    kind: 'integer',
    default: 450,
    min: 1,
    max: 2_000_000,
    describe: 'Seconds of silence after which a child counts as stalled and is stopped.',
    source: 'reference tools-and-cli §1.11 (450 s)',
  },
  'delegation.tool_idle_seconds': {
    kind: 'integer',
    default: 1_200,
    min: 1,
    max: 2_000_000,
    describe: 'The same while one of its tools runs.',
    source: 'reference tools-and-cli §1.11 (1,200 s)',
  },
} as const satisfies SettingsSlice;
