import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../testing/platforms/telegram/stage.ts';
import { gatewayStage } from './gateway-stage.ts';
import { rowsOf, stage, type Stage } from './stage.ts';

function addHook({ home }: Stage, handler: string): string {
  const folder = join(home, 'hooks', 'note');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'HOOK.yaml'), 'name: note\ndescription: keeps notes\nevents: [agent:end, command:*]\n');
  writeFileSync(join(folder, 'handler.sh'), handler);
  return folder;
}

test('hooks are listed, trusted, tested and revoked; a change needs trust again', async () => {
  const place = stage();
  const path = addHook(place, 'cat\necho "event $HERMES_HOOK_EVENT"\n');
  const facts = {
    kind: 'folder',
    name: 'note',
    path,
    description: 'keeps notes',
    events: ['agent:end', 'command:*'],
    handler: 'handler.sh',
  };
  const list = async () => rowsOf(await place.run(['hooks', 'list', '--json']));
  assert.deepEqual(await list(), [{ ...facts, state: 'untrusted' }]);

  const early = await place.run(['hooks', 'test', 'note']);
  assert.deepEqual([early.code, early.out], [2, '']);
  assert.match(early.err, /hook note is not trusted as it is now\. Read .*hooks\/note, then type: hermes hooks trust note/);
  const trusted = await place.run(['hooks', 'trust', 'note']);
  assert.equal(trusted.out, `note runs from now on when this happens: agent:end, command:*. A change in ${path} needs your trust again.\n`);
  assert.deepEqual(await list(), [{ ...facts, state: 'trusted' }]);

  const tested = await place.run(['hooks', 'test', 'note', 'command:status']);
  const told = '{"event":"command:status","context":{"platform":"test","user_id":"1","command":"status","args":""}}';
  assert.deepEqual([tested.code, tested.out], [0, `${told}\nevent command:status\nnote handled command:status.\n`]);

  writeFileSync(join(path, 'handler.sh'), 'exit 7\n');
  assert.deepEqual(await list(), [{ ...facts, state: 'changed' }]);
  await place.run(['hooks', 'trust', 'note']);
  const failed = await place.run(['hooks', 'test', 'note']);
  assert.deepEqual([failed.code, failed.out], [1, 'note failed on agent:end: it ended with 7.\n']);
  assert.equal((await place.run(['hooks', 'revoke', 'note'])).out, 'note no longer runs.\n');
  assert.deepEqual(await list(), [{ ...facts, state: 'untrusted' }]);
  const unknown = await place.run(['hooks', 'trust', 'notes']);
  assert.equal(unknown.code, 2);
  assert.match(unknown.err, /there is no hook "notes"\. Did you mean note\?/);
});

test('the doctor says what keeps a command of the settings from running, and trust lets it run', async () => {
  const place = stage({ hooks: { pre_tool_call: [{ command: './guard.sh', matcher: 'terminal' }] } });
  writeFileSync(join(place.home, 'guard.sh'), '#!/bin/sh\nexit 2\n', { mode: 0o755 });
  const sick = await place.run(['hooks', 'doctor']);
  const fix = 'Read the script (./guard.sh), then type: hermes hooks trust pre_tool_call/1';
  assert.deepEqual([sick.code, sick.out], [1, `pre_tool_call/1: you have not trusted it, so it does not run. ${fix}\n`]);
  const trusted = await place.run(['hooks', 'trust', 'pre_tool_call/1']);
  const covered = `the command or in ${join(place.home, 'guard.sh')}`;
  const words = `pre_tool_call/1 runs from now on when this happens: pre_tool_call. A change in ${covered} needs your trust again.\n`;
  assert.equal(trusted.out, words);
  assert.equal((await place.run(['hooks', 'list'])).out, 'pre_tool_call/1  for terminal  ./guard.sh  trusted\n');
  const well = await place.run(['hooks', 'doctor', '--json']);
  assert.deepEqual([well.code, JSON.parse(well.out)], [0, { ok: true, count: 1, findings: [] }]);
});

test('hermes send plans a message while no gateway runs, and the gateway sends it; with one it waits for the receipt; hooks run there', async () => {
  await using scene = await gatewayStage({ answer: () => ({ text: 'Hello.' }) });
  const { place, telegram, env } = scene;
  const target = `telegram:${telegram.dm.id}`;
  const run = (args: readonly string[], more: object = {}) =>
    place.run(['send', ...args], { env: { ...env, TELEGRAM_HOME_CHANNEL: String(telegram.dm.id) }, ...more });
  const kept = await run(['telegram', 'First.']);
  assert.deepEqual(
    [kept.code, kept.out],
    [0, `Kept for ${target}, for a day: no gateway runs. Start it with hermes gateway start, and it goes out.\n`],
  );
  addHook(place, 'cat >> "$HERMES_HOME/told"\n');
  await place.run(['hooks', 'trust', 'note']);
  await scene.start();
  await until(() => scene.said().join() === 'First.', 'it was sent');
  const sent = await run([target, '-', '--json'], { stdin: 'Second.\n' });
  const { delivery, ...facts } = JSON.parse(sent.out) as Readonly<Record<string, unknown>>;
  assert.deepEqual([sent.code, facts, typeof delivery], [0, { ok: true, state: 'sent', target, running: true }, 'string']);
  assert.deepEqual(scene.said(), ['First.', 'Second.']);
  scene.say('hi');
  await until(
    () => existsSync(join(place.home, 'told')) && readFileSync(join(place.home, 'told'), 'utf8').endsWith('\n'),
    'the hook was told',
  );
  assert.match(readFileSync(join(place.home, 'told'), 'utf8'), /^\{"event":"agent:end".*"message":"hi","response":"Hello\."/);
  const listed = await run(['--list', '--json']);
  assert.deepEqual(rowsOf(listed), [
    { target, account: 'main', home: true },
    { target, name: 'Ann', type: 'private', account: 'main', home: false },
  ]);
  const wrong = await run(['telegram:#nobody', 'hi']);
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /no chat on telegram is called "#nobody"/);
});
