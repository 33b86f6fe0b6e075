import { ownersAlone, type SettingsSlice } from '../../../../contracts/settings.ts';

export const moaSettings = ownersAlone({
  'moa.preset': {
    kind: 'string',
    default: '',
    describe: 'The preset that mixture_of_agents uses. Empty means the only preset, or the one named default.',
  },
  'moa.presets': {
    kind: 'table',
    default: {},
    describe: 'Presets by name: NAME: {reference_models: [MODEL, ...], aggregator: MODEL}.',
  },
} as const satisfies SettingsSlice);
