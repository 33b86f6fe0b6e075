import type { SettingsSlice } from '../../../../contracts/settings.ts';

export const moaSettings = {
  'moa.preset': {
    kind: 'string',
    default: '',
    describe: 'The preset mixture_of_agents uses; empty takes the only one, or the one called default.',
    source: 'ours: the reference (tools-and-cli §1.12) chooses a preset like a model',
  },
  'moa.presets': {
    kind: 'table',
    default: {},
    describe: 'Mixtures by name: NAME: {reference_models: [MODEL, ...], aggregator: MODEL}.',
    source: 'reference tools-and-cli §1.12',
  },
} as const satisfies SettingsSlice;
