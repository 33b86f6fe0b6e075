import type { SettingsSlice } from '../../../contracts/settings.ts';

export const layerSettings = {
  'agent.ephemeral_system_prompt': {
    kind: 'string',
    default: '',
    describe: 'An instruction sent beside each message while it is set; never part of the stored prompt.',
    source: 'seed 004 (ephemeral_system_prompt)',
    env: 'HERMES_EPHEMERAL_SYSTEM_PROMPT',
  },
  prefill_messages_file: {
    kind: 'string',
    default: '',
    describe: 'A JSON file of example exchanges that stand before the first message of a session.',
    source: 'reference tools-and-cli §6.8',
    env: 'HERMES_PREFILL_MESSAGES_FILE',
  },
} as const satisfies SettingsSlice;
