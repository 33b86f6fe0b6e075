import type { SettingsSlice } from '../../contracts/settings.ts';

export const storeSettings = {
  'database.durability': {
    kind: 'choice',
    default: 'power',
    choices: ['power', 'process'],
    describe: 'What a committed step survives: `power` a power cut (one disk flush a step), `process` the death of the process.',
    source: 'ours: nothing committed is ever lost (design §1)',
  },
} as const satisfies SettingsSlice;
