import type { SettingsSlice } from '../../../contracts/settings.ts';

export const daytonaSettings = {
  'terminal.daytona_image': {
    kind: 'string',
    default: 'nikolaik/python-nodejs:python3.11-nodejs20',
    describe: 'Image of a Daytona sandbox; it must have a bash.',
    source: 'reference environments §6.2',
    env: 'TERMINAL_DAYTONA_IMAGE',
  },
} as const satisfies SettingsSlice;
