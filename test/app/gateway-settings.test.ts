import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FIELDS, loadConfig } from '../../src/app/config/config.ts';
import { readAccounts } from '../../src/faces/gateway/accounts/accounts.ts';
import { gatewaySettings } from '../../src/faces/gateway/settings.ts';
import type { PlatformVariable } from '../../src/contracts/platform-adapter.ts';
import { discord } from '../../src/platforms/discord/index.ts';
import { slack } from '../../src/platforms/slack/index.ts';
import { telegram } from '../../src/platforms/telegram/index.ts';
import { DEFAULTS } from '../faces/gateway/platform-kinds.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-gateway-settings-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const FILE = `
platforms:
  telegram:
    token: \${BOT}
    owners: [123456789]
    allowed_users: 123456789, 5
    allow_bots: off
    reply_to_mode: off
    home_channel: -100200300
    extra: {base_url: http://127.0.0.1:1/bot}
gateway:
  allowed_users: [7]
session_reset: {mode: idle, idle_minutes: 60, notify: true}
reset_by_type: {group: {mode: none}}
display:
  platforms: {telegram: {streaming: off, tool_progress: new}}
streaming: {edit_interval: 2.5}
privacy: {redact_pii: true}
timezone: Europe/Paris
group_sessions_per_user: true
`;

test('a file as people write it is read as it is meant, and what has no effect is told', async () => {
  const path = join(folder, 'config.yaml');
  writeFileSync(path, FILE);
  const notices: string[] = [];
  const { settings } = await loadConfig(path, { BOT: '1:abc', SESSION_RESET_HOUR: '5' }, (words) => notices.push(words));
  const { accounts, problems } = readAccounts(settings, {}, [telegram]);
  const [account] = accounts;
  assert.deepEqual([problems, account?.problems], [[], []]);
  assert.deepEqual(account?.settings, { secrets: { token: '1:abc' }, extra: { reply_to_mode: 'off', base_url: 'http://127.0.0.1:1/bot' } });
  assert.deepEqual(account.access, {
    allowAll: false,
    allowedUsers: ['123456789', '5'],
    allowedRoles: [],
    groupAllowedChats: [],
    groupAllowedUsers: [],
    allowBots: 'none',
    owners: ['123456789'],
    everywhere: { allowAll: false, allowedUsers: ['7'] },
    strangers: 'ignore',
  });
  assert.deepEqual(account.homeChannel, { chatId: '-100200300' });
  assert.deepEqual(account.display, {
    toolProgress: 'new',
    streaming: false,
    typing: true,
    reactions: false,
    replyTo: 'off',
    busyInput: 'steer',
  });
  const reset = { mode: settings['session_reset.mode'], atHour: settings['session_reset.at_hour'], byType: settings.reset_by_type };
  assert.deepEqual(reset, { mode: 'idle', atHour: 5, byType: { group: { mode: 'none' } } });
  assert.deepEqual(notices, [
    `${path}: 2 settings have no effect in this version: session_reset.notify, group_sessions_per_user. To list them: hermes config check`,
  ]);
});

test('nobody but the owner changes who may speak', () => {
  const open = Object.keys(gatewaySettings).filter((key) => FIELDS.get(key)?.owner !== true);
  assert.deepEqual(open, []);
});

/** A value that a variable of this kind can have. */
const SAMPLES: Readonly<Record<PlatformVariable['kind'], string>> = { text: 'first', list: '1,2', flag: 'yes', number: '1' };
/** What these variables take besides. */
const OWN: Readonly<Record<string, string>> = {
  TELEGRAM_BOT_TOKEN: '1:abc',
  TELEGRAM_WEBHOOK_URL: 'https://example.com/bot',
  DISCORD_BOT_TOKEN: 'abc',
  DISCORD_ALLOW_BOTS: 'all',
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_APP_TOKEN: 'xapp-1',
  SLACK_ALLOW_BOTS: 'all',
};
for (const kind of [telegram, discord, slack])
  test(`every variable of ${kind.label} is read, and says where it goes`, () => {
    const own = Object.entries(kind.variables).map(([name, { kind: type }]) => [name, OWN[name] ?? SAMPLES[type]]);
    const prefix = kind.id.toUpperCase();
    const general = { [`${prefix}_ALLOWED_USERS`]: '1,2', [`${prefix}_OWNERS`]: '1', [`${prefix}_HOME_CHANNEL`]: 'first' };
    const [account, ...others] = readAccounts(DEFAULTS, { ...Object.fromEntries(own), ...general }, [kind]).accounts;
    assert.deepEqual(others, []);
    assert.deepEqual(account?.problems, []);
    assert.deepEqual([account.enabled, account.access.allowedUsers, account.homeChannel?.chatId], [true, ['1', '2'], 'first']);
    const secrets = Object.values(kind.variables).flatMap(({ to, secret }) => (secret === true ? [to] : []));
    assert.deepEqual(Object.keys(account.settings.secrets).toSorted(), secrets.toSorted());
  });
