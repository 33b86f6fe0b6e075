import type { Chat, PlatformKind } from '../../contracts/platform-adapter.ts';
import { checkSettings, readSettings, WEBHOOK_VARIABLES } from './settings.ts';
import { readSubscriptions } from './subscriptions.ts';

/** Requests of programs, signed in both directions: events come in by routes, results go out to targets. */
export const webhook: PlatformKind = {
  id: 'webhook',
  label: 'Webhook',
  traits: {
    // A receiver gets an answer in one piece.
    maxText: 200_000,
    unit: 'utf16',
    maxCaption: 200_000,
    // In the JSON itself.
    maxUploadBytes: 5_000_000,
    maxDownloadBytes: 0,
    canEdit: false,
    canType: false,
    canReact: false,
    hasButtons: false,
    // `webhook-id` is the same at every attempt.
    idempotency: 'key',
    rates: [],
    isMachine: true,
  },
  variables: WEBHOOK_VARIABLES,
  check: checkSettings,
  credentials: () => ({}),
  render: (markdown) => markdown,
  listTargets: (account, folder) => {
    const { settings } = readSettings(account);
    const added = readSubscriptions(folder, settings.secret);
    return [...new Set([...settings.targets.keys(), ...added.targets.keys()])].map(toChat);
  },
  open: async (options) => {
    const { WebhookAdapter } = await import('./adapter.ts');
    return new WebhookAdapter(options);
  },
};

const toChat = (name: string): Chat => ({ type: 'channel', chatId: name, name });
