import { ownersAlone, type SettingsSlice } from '../../contracts/settings.ts';

/** Programs and addresses that hear what happens, so only the owner names them. */
export const hookSettings = ownersAlone({
  hooks: {
    kind: 'table',
    default: {},
    describe:
      'Programs to run when something happens: EVENT: [{command, matcher, timeout, fail_closed}]. Each runs only after hermes hooks trust NAME. outbound: [{url, events, secret_env}] posts signed events to an address. See docs/hooks.md.',
  },
  hooks_auto_accept: {
    kind: 'boolean',
    default: false,
    describe:
      'Trust a command under hooks when it is seen for the first time, as its script is then. For machines without anybody to ask; one that changed or was revoked still waits for hermes hooks trust.',
  },
} as const satisfies SettingsSlice);
