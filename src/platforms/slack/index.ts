import type { PlatformKind } from '../../contracts/platform-adapter.ts';
import { renderMrkdwn } from './codec.ts';
import { checkSettings, SLACK_VARIABLES } from './settings.ts';

export const slack: PlatformKind = {
  id: 'slack',
  label: 'Slack',
  traits: {
    // Slack takes 40,000; the rest is for what is put around a text.
    maxText: 39_000,
    unit: 'utf16',
    maxCaption: 3_000,
    maxUploadBytes: 1024 * 1024 * 1024,
    maxDownloadBytes: 1024 * 1024 * 1024,
    canEdit: true,
    canType: true,
    canReact: true,
    hasButtons: true,
    idempotency: 'read_back',
    rates: [
      { scope: 'chat', calls: 1, perMs: 1_000 },
      { scope: 'account', calls: 50, perMs: 10_000 },
    ],
    typingMs: 120_000,
  },
  variables: SLACK_VARIABLES,
  check: checkSettings,
  // Messages come by the app's connection; a bot token may be used by many at once.
  credentials: ({ secrets }) => ({ 'app token': secrets['app_token'] ?? '' }),
  render: renderMrkdwn,
  open: async (options) => {
    const { openSlackAdapter } = await import('./adapter.ts');
    return openSlackAdapter(options);
  },
};
