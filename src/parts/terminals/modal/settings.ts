import type { SettingsSlice } from '../../../contracts/settings.ts';

export const modalSettings = {
  'terminal.modal_image': {
    kind: 'string',
    default: 'nikolaik/python-nodejs:python3.11-nodejs20',
    describe: 'Image of a Modal sandbox; it must have a bash.',
    source: 'reference environments §6.2',
    env: 'TERMINAL_MODAL_IMAGE',
  },
  'terminal.modal_mode': {
    kind: 'choice',
    default: 'auto',
    choices: ['auto', 'direct', 'managed'],
    describe:
      'How Modal is reached: direct with an account of your own, which auto means too; managed needs a gateway that is not there yet.',
    source: 'reference environments §6.2',
    env: 'TERMINAL_MODAL_MODE',
  },
} as const satisfies SettingsSlice;
