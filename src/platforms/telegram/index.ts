import type { PlatformKind } from '../../contracts/platform-adapter.ts';
import { toMarkdownV2 } from './codec.ts';
import { checkSettings, TELEGRAM_VARIABLES } from './settings.ts';

const MB = 1024 * 1024;

/** Telegram, by the Bot API: long polls or a webhook. */
export const telegram: PlatformKind = {
  id: 'telegram',
  label: 'Telegram',
  traits: {
    maxText: 4096,
    unit: 'utf16',
    maxCaption: 1024,
    maxUploadBytes: 50 * MB,
    maxDownloadBytes: 20 * MB,
    canEdit: true,
    canType: true,
    canReact: true,
    hasButtons: true,
    // Bots can neither name a message nor read a chat back.
    idempotency: 'none',
    rates: [
      { scope: 'account', calls: 30, perMs: 1_000 },
      { scope: 'chat', calls: 1, perMs: 1_000 },
      { scope: 'group_chat', calls: 20, perMs: 60_000 },
    ],
    typingMs: 5_000,
  },
  chatSettings: ['allowed_chats', 'free_response_chats'],
  variables: TELEGRAM_VARIABLES,
  check: checkSettings,
  credentials: ({ secrets }) => ({ 'bot token': secrets['token'] ?? '' }),
  userIds: { shape: /^\d+$/, describe: 'a number, such as 123456789' },
  identify: async (settings, signal) => (await import('./identify.ts')).identifyBot(settings, signal),
  render: toMarkdownV2,
  counted: (rendered) => rendered.replaceAll(/\\(?=[!-~])/g, ''),
  open: async (options) => {
    const { openTelegramAdapter } = await import('./adapter.ts');
    return openTelegramAdapter(options);
  },
};
