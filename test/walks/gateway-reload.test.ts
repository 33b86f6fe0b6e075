import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../testing/platforms/telegram/stage.ts';
import { gatewayStage } from './gateway-stage.ts';

test('SIGHUP has a running gateway read its settings again: who may speak changes at once, and only what is set up differently is opened again', async () => {
  await using scene = await gatewayStage({ answer: () => ({ text: 'Hello.' }) }, { streaming: { enabled: false } });
  const { server, bot, ann } = scene.telegram;
  const bob = server.people.addUser('Bob');
  const bobs = server.people.openPrivate(bot, bob);
  const saidTo = (chat: typeof bobs): number => server.log.visible(chat).filter(({ from }) => from === bot.id).length;
  const logins = (): number => server.log.requests.filter(({ method }) => method === 'getMe').length;
  const [envFile, config] = [join(scene.place.home, '.env'), join(scene.place.home, 'config.yaml')];
  const program = await scene.start();
  const reload = async (line: RegExp): Promise<void> => {
    program.kill('SIGHUP');
    await until(() => line.test(program.err()), `${line} in ${program.err()}`);
  };
  server.people.say(bobs, bob, 'hello?');
  scene.say('hi');
  await until(() => scene.said().length === 1, 'the owner is answered');
  assert.equal(saidTo(bobs), 0);

  writeFileSync(envFile, readFileSync(envFile, 'utf8').replace(/(ALLOWED_USERS=.*)/, `$1,${bob.id}\nTELEGRAM_OWNERS=${ann.id}`));
  await reload(/The settings were read again: all connections stay\./);
  server.people.say(bobs, bob, 'and now?');
  await until(() => saidTo(bobs) === 1, 'whoever was let in is answered');
  assert.equal(logins(), 1);

  const before = readFileSync(config, 'utf8');
  writeFileSync(config, `${before.trimEnd()}\n  nonsense: [`);
  await reload(/The settings could not be read again, so those from before stay: .*config\.yaml/);
  writeFileSync(config, JSON.stringify({ ...JSON.parse(before), gateway: { listen_port: 9_999, max_files: 3 }, agent: { max_turns: 7 } }));
  await reload(
    /These changes take effect only after hermes gateway restart: (?=.*gateway\.listen_port)(?=.*agent\.max_turns)(?!.*max_files)/,
  );
  assert.equal(logins(), 1);

  writeFileSync(envFile, `${readFileSync(envFile, 'utf8')}TELEGRAM_REQUIRE_MENTION=true\n`);
  await reload(/The settings were read again: telegram opened again; all other connections stay\./);
  await until(() => logins() === 2, 'it logged in again');
  server.people.say(bobs, bob, 'still there?');
  await until(() => saidTo(bobs) === 2, 'it goes on');
  program.kill('SIGTERM');
  assert.deepEqual(await program.ended, { code: 0, signal: null }, program.err());
});
