import type { SettingsSlice } from '../../../contracts/settings.ts';

export const layerSettings = {
  'agent.ephemeral_system_prompt': {
    kind: 'string',
    default: '',
    describe: 'An instruction that is sent with each message while it is set. It is not part of the stored system prompt.',
    env: 'HERMES_EPHEMERAL_SYSTEM_PROMPT',
  },
  prefill_messages_file: {
    kind: 'string',
    default: '',
    describe: 'A JSON file with example messages that come before the first message of a session.',
    env: 'HERMES_PREFILL_MESSAGES_FILE',
  },
} as const satisfies SettingsSlice;
