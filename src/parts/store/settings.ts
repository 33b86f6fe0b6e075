import type { SettingsSlice } from '../../contracts/settings.ts';

export const storeSettings = {
  'database.durability': {
    kind: 'choice',
    default: 'power',
    choices: ['power', 'process'],
    describe:
      'What a saved step survives: `power` a power failure (two disk flushes per step), `process` only a crash of the process. `process` is faster.',
  },
} as const satisfies SettingsSlice;
