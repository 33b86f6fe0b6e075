import type { PlatformKind, PlatformTraits, PlatformVariable } from '../../../src/contracts/platform-adapter.ts';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import { commandSettings } from '../../../src/commands/settings.ts';
import type { GatewayAccount } from '../../../src/faces/gateway/accounts/account.ts';
import { readAccounts, type GatewaySettings } from '../../../src/faces/gateway/accounts/accounts.ts';
import { gatewaySettings } from '../../../src/faces/gateway/settings.ts';

const TRAITS: PlatformTraits = {
  maxText: 4_096,
  unit: 'utf16',
  maxCaption: 1_024,
  maxUploadBytes: 1,
  maxDownloadBytes: 1,
  canEdit: true,
  canType: true,
  canReact: true,
  hasButtons: true,
  idempotency: 'none',
  rates: [],
};
const TOKEN: PlatformVariable = { to: 'token', kind: 'text', secret: true, describe: 'the bot token' };

/** Platforms as data: what the gateway knows of one without its adapter. */
export const createKind = (
  id: string,
  variables: PlatformKind['variables'],
  traits: Partial<PlatformTraits> = {},
  needs: readonly string[] = ['token'],
): PlatformKind => ({
  id,
  label: `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`,
  traits: { ...TRAITS, ...traits },
  variables,
  check: ({ secrets }) => {
    const missing = needs.find((name) => secrets[name] === undefined);
    return missing === undefined ? undefined : `${id} needs ${missing}.`;
  },
  credentials: ({ secrets }) => ({ ...secrets }),
  render: (markdown) => markdown,
  open: async () => {
    throw new Error('nothing is connected here');
  },
});
export const TELEGRAM = createKind('telegram', {
  TELEGRAM_BOT_TOKEN: TOKEN,
  TELEGRAM_REQUIRE_MENTION: { to: 'extra.require_mention', kind: 'flag', describe: 'answer only when mentioned' },
  TELEGRAM_WEBHOOK_PORT: { to: 'extra.webhook_port', kind: 'number', describe: 'port of the webhook' },
});
export const SLACK = createKind('slack', { SLACK_BOT_TOKEN: TOKEN, SLACK_APP_TOKEN: { ...TOKEN, to: 'app_token' } }, {}, [
  'token',
  'app_token',
]);
export const EMAIL = createKind('email', {}, { canEdit: false, canType: false, canReact: false }, []);

export const DEFAULTS: GatewaySettings = { ...collectDefaults(commandSettings), ...collectDefaults(gatewaySettings) };

/** An account of a platform that is set up as this says. */
export function readOneAccount(settings: Partial<GatewaySettings> = {}, env = { TELEGRAM_BOT_TOKEN: 'a token' }): GatewayAccount {
  const [account] = readAccounts({ ...DEFAULTS, ...settings }, env, [TELEGRAM]).accounts;
  if (account === undefined) throw new Error('There is no such account.');
  return account;
}
