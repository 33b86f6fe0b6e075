import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTelegramServer } from '../../src/testing/platforms/telegram/server.ts';
import { until } from '../testing/platforms/telegram/stage.ts';
import { gatewayStage } from './gateway-stage.ts';
import { stage } from './stage.ts';

test('the owner gives the gateway a home and restarts it from a chat, and hears when it is back', async () => {
  await using scene = await gatewayStage({ answer: () => ({ text: 'never asked' }) });
  const { dm } = scene.telegram;
  const first = await scene.start();
  const ask = async (line: string): Promise<string> => {
    const before = scene.said().length;
    scene.say(line);
    await until(() => scene.said().length > before, `${line} is answered`);
    return scene.said().at(-1) ?? '';
  };
  assert.equal(await ask('/sethome'), 'This chat is the home channel of telegram now.');
  assert.match(readFileSync(join(scene.place.home, 'config.yaml'), 'utf8'), new RegExp(`home_channel"?: "${dm.id}"`));
  assert.equal(await ask('/restart'), 'Restarting. I’ll tell you when I’m back.');
  assert.deepEqual(await first.ended, { code: 75, signal: null }, first.err());
  const before = scene.said().length;
  const second = await scene.start();
  await until(() => scene.said().length > before, 'it tells that it is back');
  assert.deepEqual(scene.said().slice(before), ['I am back.']);
  // The menu comes by itself, after the connection.
  const menus = () => scene.telegram.server.log.requests.filter(({ method }) => method === 'setMyCommands');
  await until(() => menus().length > 0, 'the menu is there');
  assert.match(JSON.stringify(menus().at(-1)?.params), /"restart"/);
  second.kill('SIGTERM');
  await second.ended;
  // What it offers is asked now and then; nobody had anything to say to it.
  assert.deepEqual(
    scene.model.requests.filter(({ method }) => method === 'POST'),
    [],
  );
});

test('setup writes tokens where secrets are and the owner to the settings', async () => {
  await using server = await openTelegramServer();
  server.people.addBot({ username: 'my_bot', token: '1:abc' });
  const { run, home, settings } = stage();
  const extra = { base_url: server.baseUrl };
  settings({ platforms: { telegram: { extra } } });
  const done = await run(['gateway', 'setup', '--platform', 'telegram', '--owner', '42'], { stdin: '1:abc\n' });
  assert.equal(done.code, 0, done.err);
  assert.equal(
    done.out,
    'The token belongs to @my_bot.\nWrote TELEGRAM_BOT_TOKEN, platforms.telegram.owners. Start it with: hermes gateway start\n',
  );
  assert.match(readFileSync(join(home, '.env'), 'utf8'), /^TELEGRAM_BOT_TOKEN=.*1:abc/m);
  assert.doesNotMatch(readFileSync(join(home, 'config.yaml'), 'utf8'), /1:abc/);
  const { out } = await run(['config', 'get', 'platforms', '--json']);
  assert.deepEqual(JSON.parse(out)['value'], { telegram: { extra, owners: '42' } });
  const both = await run(['gateway', 'setup', '--platform', 'slack', '--owner', 'U42'], { stdin: 'xoxb-1\nxapp-2\n' });
  assert.equal(both.code, 0, both.err);
  assert.match(readFileSync(join(home, '.env'), 'utf8'), /^SLACK_BOT_TOKEN=.*xoxb-1.*^SLACK_APP_TOKEN=.*xapp-2/ms);
  const unknown = await run(['gateway', 'setup', '--platform', 'telegramm']);
  assert.deepEqual(
    [unknown.code, unknown.err],
    [2, 'hermes: there is no platform "telegramm"; did you mean telegram? There are: telegram, discord, slack, email\n'],
  );
});

test(
  'install writes a unit of this home and says what to type next',
  { skip: process.platform === 'linux' ? false : 'systemd is of Linux' },
  async () => {
    const { run, home } = stage();
    const done = await run(['gateway', 'install', '--json']);
    assert.equal(done.code, 0, done.err);
    const { path, next } = JSON.parse(done.out) as { readonly path: string; readonly next: readonly string[] };
    assert.match(path, /\/\.config\/systemd\/user\/hermes-gateway-[0-9a-f]{8}\.service$/);
    assert.match(readFileSync(path, 'utf8'), new RegExp(`^ExecStart=.* gateway run --replace$.*^Environment=HERMES_HOME=${home}$`, 'ms'));
    assert.equal(next[0], 'systemctl --user daemon-reload');
  },
);
