import { ownersAlone, type SettingsSlice } from '../../../contracts/settings.ts';

export const layerSettings = ownersAlone({
  'agent.ephemeral_system_prompt': {
    kind: 'string',
    default: '',
    describe: 'An instruction that is sent with each message while it is set. It is not part of the stored system prompt.',
    env: 'HERMES_EPHEMERAL_SYSTEM_PROMPT',
  },
  personalities: {
    kind: 'table',
    default: {} as Readonly<Record<string, unknown>>,
    describe: 'Your own personalities for `/personality`: NAME: TEXT, or NAME: {system_prompt, tone?, style?}.',
  },
  'display.personality': {
    kind: 'string',
    default: '',
    describe: 'The personality of sessions that have not chosen one. Empty means none.',
  },
  prefill_messages_file: {
    kind: 'string',
    default: '',
    describe: 'A JSON file with example messages that come before the first message of a session.',
    env: 'HERMES_PREFILL_MESSAGES_FILE',
  },
} as const satisfies SettingsSlice);
