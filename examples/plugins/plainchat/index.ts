import { definePlugin, type PlatformKind } from 'hermes-ts/plugin';
import { openPlainchat } from './adapter.ts';

/** What the service can do, as data; the adapter only moves messages. Settings: `platforms.plainchat.token` and `.extra.url`. */
export const plainchat: PlatformKind = {
  id: 'plainchat',
  label: 'Plainchat',
  traits: {
    maxText: 4_000,
    unit: 'utf16',
    maxCaption: 4_000,
    maxUploadBytes: 1_000_000,
    maxDownloadBytes: 0,
    canEdit: false,
    canType: false,
    canReact: false,
    hasButtons: false,
    // The server makes one message of all sends with one key.
    idempotency: 'key',
    rates: [],
  },
  variables: {
    PLAINCHAT_TOKEN: { to: 'token', kind: 'text', secret: true, describe: 'token of the bot' },
    PLAINCHAT_URL: { to: 'extra.url', kind: 'text', needed: true, describe: 'address of the server' },
  },
  check: ({ secrets, extra }) =>
    secrets['token'] === undefined
      ? 'Set PLAINCHAT_TOKEN.'
      : typeof extra['url'] === 'string' && URL.canParse(extra['url'])
        ? undefined
        : 'Set PLAINCHAT_URL to the address of the server.',
  credentials: ({ secrets: { token } }) => (token === undefined ? {} : { 'bot token': token }),
  render: (markdown) => markdown.replace(/\*\*(.+?)\*\*|\b_(.+?)_\b|`(.+?)`/g, (_all, bold, italic, code) => bold ?? italic ?? code),
  open: async ({ settings }) => openPlainchat(settings, plainchat.render),
};

export default definePlugin({ name: 'plainchat', setup: (host) => void host.platforms.add(plainchat) });
