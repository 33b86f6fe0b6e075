import type { PlatformKind } from '../../contracts/platform-adapter.ts';
import { renderDiscord } from './render.ts';
import { checkSettings, DISCORD_VARIABLES } from './settings.ts';

const MEGABYTE = 1024 * 1024;

export const discord: PlatformKind = {
  id: 'discord',
  label: 'Discord',
  traits: {
    maxText: 2_000,
    unit: 'utf16',
    maxCaption: 2_000,
    maxUploadBytes: 10 * MEGABYTE,
    maxDownloadBytes: 32 * MEGABYTE,
    canEdit: true,
    canType: true,
    canReact: true,
    hasButtons: true,
    idempotency: 'key',
    // Discord says "a few minutes".
    keyMs: 120_000,
    rates: [
      { scope: 'account', calls: 50, perMs: 1_000 },
      { scope: 'chat', calls: 5, perMs: 5_000 },
    ],
    typingMs: 10_000,
  },
  variables: DISCORD_VARIABLES,
  check: checkSettings,
  credentials: ({ secrets }): Readonly<Record<string, string>> => (secrets['token'] === undefined ? {} : { 'bot token': secrets['token'] }),
  userIds: { shape: /^\d+$/, describe: 'a number, such as 123456789012345678' },
  render: renderDiscord,
  open: async (options) => {
    const { openDiscordAdapter } = await import('./adapter.ts');
    return openDiscordAdapter(options);
  },
};
