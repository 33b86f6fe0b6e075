import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadConfig } from '../../../src/app/config/config.ts';
import { checkChats } from '../../../src/app/services/check-chats.ts';
import { resolveHome } from '../../../src/base/home.ts';

const root = mkdtempSync(join(tmpdir(), 'hermes-check-chats-'));
after(() => rmSync(root, { recursive: true, force: true }));
const home = resolveHome({ HERMES_HOME: root });

async function check(file: string, env: Readonly<Record<string, string>> = {}) {
  writeFileSync(home.config, file);
  const { settings } = await loadConfig(home.config, {}, () => {});
  return (await checkChats({ home, settings, env })).map(({ ok, words }) => [ok, words]);
}

test('what the gateway would only log is found: a name without effect, a platform or a time zone nobody knows', async () => {
  const bot = { TELEGRAM_BOT_TOKEN: '1:abc', TELEGRAM_ALLOWED_USERS: '7' };
  assert.deepEqual(await check(''), []);
  assert.deepEqual(await check('', bot), [[true, 'telegram; no gateway runs, so nobody is answered']]);
  const rows: readonly (readonly [string, RegExp])[] = [
    ['platforms: {telegram: {alowed_users: [7]}}', /^platforms\.telegram\.alowed_users has no effect; did you mean allowed_users\?$/],
    ['platforms: {telegramm: {}}', /^platforms\.telegramm: there is no platform of this name; did you mean telegram\?$/],
    ['timezone: Mars/Olympus', /^timezone: there is no time zone Mars\/Olympus\. .*$/],
    ['timezone: Mars/Olympus\nplatforms: {telegramm: {}}', / \(and 1 more\)$/],
  ];
  for (const [file, words] of rows) {
    const [[ok, said] = [], ...more] = await check(file, bot);
    assert.deepEqual([ok, more], [false, []], file);
    assert.match(String(said), words);
  }
});
