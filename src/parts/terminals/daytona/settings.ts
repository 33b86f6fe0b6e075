import { ownersAlone, type SettingsSlice } from '../../../contracts/settings.ts';

export const daytonaSettings = ownersAlone({
  'terminal.daytona_image': {
    kind: 'string',
    default: 'nikolaik/python-nodejs:python3.11-nodejs20',
    describe: 'The image of a Daytona sandbox. It must include bash.',
    env: 'TERMINAL_DAYTONA_IMAGE',
  },
} as const satisfies SettingsSlice);
