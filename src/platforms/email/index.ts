import type { PlatformKind } from '../../contracts/platform-adapter.ts';
import { toAddressId } from './address.ts';
import { toPlainText } from './codec.ts';
import { checkSettings, EMAIL_VARIABLES, textOf } from './settings.ts';

const MB = 1024 * 1024;

/** Email: IMAP to receive, SMTP to send. */
export const email: PlatformKind = {
  id: 'email',
  label: 'Email',
  traits: {
    maxText: 50_000,
    unit: 'utf16',
    maxCaption: 50_000,
    // Servers take 25 MB as a rule, and a file in a mail grows by a third.
    maxUploadBytes: 18 * MB,
    maxDownloadBytes: 50 * MB,
    canEdit: false,
    canType: false,
    canReact: false,
    hasButtons: false,
    // A mail that may have gone out is looked up among the copies of what was sent. One that is sent again has the same id.
    idempotency: 'read_back',
    rates: [
      { scope: 'account', calls: 120, perMs: 60_000 },
      { scope: 'chat', calls: 20, perMs: 60_000 },
    ],
  },
  variables: EMAIL_VARIABLES,
  check: checkSettings,
  // Two that read one mailbox would both answer.
  credentials: ({ extra }) => ({ mailbox: `${textOf(extra, 'imap_host')} ${toAddressId(textOf(extra, 'address') ?? '')}` }),
  toId: toAddressId,
  render: toPlainText,
  open: async (options) => {
    const { EmailAdapter } = await import('./adapter.ts');
    return new EmailAdapter(options);
  },
};
