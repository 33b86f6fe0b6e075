import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FIELDS, loadConfig } from '../../src/app/config/config.ts';
import { readAccounts } from '../../src/faces/gateway/accounts.ts';
import { gatewaySettings } from '../../src/faces/gateway/settings.ts';
import { TELEGRAM } from '../faces/gateway/platform-kinds.ts';

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
  const { accounts, problems } = readAccounts(settings, {}, [TELEGRAM]);
  const [account] = accounts;
  assert.deepEqual([problems, account?.problems], [[], []]);
  assert.deepEqual(account?.settings, { secrets: { token: '1:abc' }, extra: { base_url: 'http://127.0.0.1:1/bot' } });
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
