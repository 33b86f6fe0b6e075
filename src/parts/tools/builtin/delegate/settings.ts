import { ownersAlone, type SettingsSlice } from '../../../../contracts/settings.ts';

export const delegationSettings = ownersAlone({
  'delegation.max_concurrent_children': {
    kind: 'integer',
    default: 3,
    min: 1,
    max: 16,
    describe: 'Maximum number of child agents that work at the same time. Other tasks wait.',
  },
  'delegation.max_iterations': {
    kind: 'integer',
    default: 50,
    min: 1,
    describe: 'Maximum number of model calls of a child agent.',
  },
  'delegation.max_spawn_depth': {
    kind: 'integer',
    default: 1,
    min: 0,
    max: 4,
    describe: 'How deep child agents can be nested. 1: child agents cannot start their own.',
  },
  'delegation.max_summary_chars': {
    kind: 'integer',
    default: 24_000,
    min: 1_000,
    describe: 'Maximum length of the report of a child agent, in characters. The rest stays in its session.',
  },
  'delegation.child_timeout_seconds': {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 2_000_000,
    describe: 'Timeout of a child agent, in seconds. 0 means no timeout.',
  },
  'delegation.idle_seconds': {
    kind: 'integer',
    default: 450,
    min: 1,
    max: 2_000_000,
    describe: 'Stop a child agent after this many seconds without activity.',
  },
  'delegation.tool_idle_seconds': {
    kind: 'integer',
    default: 1_200,
    min: 1,
    max: 2_000_000,
    describe: 'Stop a child agent after this many seconds without activity while one of its tools runs.',
  },
} as const satisfies SettingsSlice);
