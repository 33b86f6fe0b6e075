import { ownersAlone, type SettingsSlice } from '../../../contracts/settings.ts';

export const modalSettings = ownersAlone({
  'terminal.modal_image': {
    kind: 'string',
    default: 'nikolaik/python-nodejs:python3.11-nodejs20',
    describe: 'The image of a Modal sandbox. It must include bash.',
    env: 'TERMINAL_MODAL_IMAGE',
  },
  'terminal.modal_mode': {
    kind: 'choice',
    default: 'auto',
    choices: ['auto', 'direct', 'managed'],
    describe: 'How to connect to Modal. `direct` uses your own account; `auto` does the same. `managed` is not available yet.',
    env: 'TERMINAL_MODAL_MODE',
  },
} as const satisfies SettingsSlice);
