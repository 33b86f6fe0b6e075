import assert from 'node:assert/strict';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readPath } from '../../src/base/json.ts';
import { identifyOwnProcess } from '../../src/base/process-identity.ts';
import { until } from '../testing/platforms/telegram/stage.ts';
import { gatewayStage, startProgram, statusOf } from './gateway-stage.ts';
import { stage } from './stage.ts';

test('the program answers a message, refuses a second gateway of its home, and ends when it is told to', async () => {
  await using scene = await gatewayStage({ answer: () => ({ text: 'Hello Ann.' }) });
  const program = await scene.start();
  scene.say('hi');
  await until(() => scene.said().join() === 'Hello Ann.', 'answered');
  const second = await scene.place.run(['gateway', 'run'], { env: scene.env });
  assert.equal(second.code, 1);
  assert.match(second.err, new RegExp(`the gateway of .* is running already, as process ${program.pid}\\.`));
  program.kill('SIGTERM');
  assert.deepEqual(await program.ended, { code: 0, signal: null });
  assert.match(program.err(), /telegram: connected as .*\n.*Gateway running with 1 platform\n/);
});

for (const signal of ['SIGTERM', 'SIGKILL', 'SIGUSR1'] as const)
  test(`a turn that ${signal} cut off goes on after the next start, and is answered once`, async () => {
    let calls = 0;
    const answer = () => (++calls === 1 ? { text: 'never said to the end', paceMs: 60_000 } : { text: 'Here I am again.' });
    await using scene = await gatewayStage({ answer }, { gateway: { restart_drain_timeout: 0 }, streaming: { enabled: false } });
    const first = await scene.start();
    scene.say('begin');
    await until(() => calls === 1, 'asked');
    first.kill(signal);
    const expected = { SIGTERM: { code: 0, signal: null }, SIGUSR1: { code: 75, signal: null }, SIGKILL: { code: null, signal } };
    assert.deepEqual(await first.ended, expected[signal], first.err());
    if (signal === 'SIGKILL') {
      const { lost } = statusOf(await scene.place.run(['gateway', 'status', '--json'], { env: scene.env }));
      assert.equal(readPath(lost, 'pid'), first.pid, 'the status tells that nobody stopped it');
    }
    const again = await scene.start();
    await until(() => scene.said().length > 0, 'answered');
    assert.deepEqual(scene.said(), ['Here I am again.'], again.err());
  });

test('a gateway that was killed in another container is followed by the next one; one that runs there is left alone', async () => {
  await using scene = await gatewayStage({ answer: () => ({ text: 'Hello Ann.' }) });
  const claim = join(scene.place.home, 'gateway.pid');
  const showAge = (ms: number): void => utimesSync(claim, new Date(Date.now() - ms), new Date(Date.now() - ms));
  writeFileSync(claim, JSON.stringify({ ...identifyOwnProcess(), host: 'a1b2c3', token: 'x', kind: 'hermes-gateway' }));
  showAge(0);
  // It shows that it lives, again and again.
  const beat = setInterval(showAge, 100, 0);
  const refused = await scene.place.run(['gateway', 'run'], { env: scene.env });
  clearInterval(beat);
  assert.equal(refused.code, 1, refused.err);
  assert.match(refused.err, /Waiting up to 90 s.*is running already, in another container or on another machine \(a1b2c3\)\./s);
  showAge(88_000);
  const program = await scene.start();
  assert.match(program.err(), /was last used by the gateway in another container or on another machine \(a1b2c3\)/);
});

test('a turn that ends in time is answered before the gateway stops', async () => {
  const [asked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const answer = async () => {
    asked.resolve();
    await go.promise;
    return { text: 'Just in time.' };
  };
  await using scene = await gatewayStage({ answer });
  const program = await scene.start();
  scene.say('begin');
  await asked.promise;
  program.kill('SIGTERM');
  await until(() => /Stopping the gateway; 1 running turn has up to 60 s to finish/.test(program.err()), 'it waits');
  go.resolve();
  assert.deepEqual(await program.ended, { code: 0, signal: null }, program.err());
  assert.deepEqual(scene.said(), ['Just in time.']);
});

test('a stop says which turns it waits for, and a second one ends the gateway at once', async () => {
  const asked = Promise.withResolvers<void>();
  const answer = () => {
    asked.resolve();
    return { text: 'never said to the end', paceMs: 600_000 };
  };
  await using scene = await gatewayStage({ answer }, { streaming: { enabled: false } });
  const program = await scene.start();
  scene.say('begin');
  await asked.promise;
  const stopping = startProgram(['gateway', 'stop'], scene.place.cwd, scene.env);
  await until(() => /1 running turn has up to 60 s to finish\. To stop at once, press Ctrl-C/.test(stopping.err()), 'it says why it waits');
  stopping.kill('SIGINT');
  await stopping.ended;
  const again = await scene.place.run(['gateway', 'stop'], { env: scene.env });
  assert.deepEqual([again.code, again.out], [0, `Stopped the gateway of ${scene.place.home} (process ${program.pid}).\n`], again.err);
  await program.ended;
});

test('one platform that does not answer stops no other; a token that nobody takes ends the gateway with 78', async () => {
  const dead = { token: 'x.y.z', extra: { api_url: 'http://127.0.0.1:9', gateway_url: 'ws://127.0.0.1:9' } };
  await using scene = await gatewayStage({ answer: () => ({ text: 'Hello Ann.' }) }, {}, { discord: dead });
  const program = await scene.start();
  assert.match(program.err(), /^hermes: discord: not connected yet: .*\n(?:.*\n)?.*Gateway running with 1 platform; 1 not connected/m);
  program.kill('SIGTERM');
  await program.ended;
  const env = { ...scene.env, TELEGRAM_BOT_TOKEN: '999:nobodys' };
  scene.place.settings({ platforms: { telegram: { extra: { base_url: scene.telegram.server.baseUrl } } } });
  const { code, err } = await scene.place.run(['gateway', 'run'], { env });
  assert.equal(code, 78, err);
  assert.match(err, /telegram: not connected yet: .*\n.*No platform accepted its settings/);
  assert.equal(err.match(/Telegram does not know this bot token/g)?.length, 1, err);
});

test('a home without a platform ends with 78 and says what to set', async () => {
  const { code, err } = await stage().run(['gateway', 'run']);
  assert.equal(code, 78);
  assert.match(err, /No chat platform is set up.*hermes gateway setup.*TELEGRAM_BOT_TOKEN/s);
});

test('status tells the truth before, while and after it runs; start, restart and stop work on it from outside', async () => {
  await using scene = await gatewayStage({ answer: () => ({ text: 'Hello Ann.' }) });
  const run = (...args: readonly string[]) => scene.place.run(['gateway', ...args], { env: scene.env });
  const before = await run('status', '--json');
  assert.equal(before.code, 1);
  assert.deepEqual(shownIn(statusOf(before)), { running: false, accounts: [], waiting: { arrivals: 0, deliveries: 0 } });
  const started = await run('start', '--json');
  assert.match(
    JSON.stringify(statusOf(started)['accounts']),
    /"platform":"telegram","account":"main"/,
    'the start tells how its platforms stand',
  );
  assert.equal(started.code, 0, started.err);
  try {
    const first = statusOf(started)['pid'];
    const name = 'hermes_test_bot';
    const connected = { platform: 'telegram', account: 'main', state: 'connected', name, reconnects: 0 };
    const running = { running: true, phase: 'running', accounts: [connected], waiting: { arrivals: 0, deliveries: 0 } };
    assert.deepEqual(shownIn(statusOf(await run('status', '--json'))), running);
    assert.match(
      (await run('status')).out,
      new RegExp(`The gateway is running as process ${String(first)} since .*\ntelegram: connected as`),
    );
    assert.match((await run('start')).err, /is running already, as process/);
    const restarted = statusOf(await run('restart', '--json'));
    assert.equal(restarted['replaced'], first);
    // One that runs in the background starts its successor itself.
    process.kill(Number(restarted['pid']), 'SIGUSR1');
    await until(() => ![first, restarted['pid'], undefined].includes(pidIn(scene.place.home)), 'another process runs');
    scene.say('hi');
    await until(() => scene.said().join() === 'Hello Ann.', 'answered');
    assert.match((await run('logs')).out, /Gateway running with 1 platform\n/);
  } finally {
    assert.match((await run('stop', '--all')).out, /^Stopped the gateway of .* \(process \d+\)\.\n$/);
  }
  assert.equal(statusOf(await run('status', '--json'))['running'], false);
  assert.equal((await run('stop')).out, 'No gateway was running.\n');
});

/** The process that the home says it is served by. */
function pidIn(home: string): unknown {
  try {
    return JSON.parse(readFileSync(join(home, 'gateway.pid'), 'utf8'))['pid'];
  } catch {
    return undefined;
  }
}

/** What of a status does not differ from run to run. */
function shownIn({ running, phase, accounts, waiting }: Readonly<Record<string, unknown>>): object {
  const rows = accounts as readonly Readonly<Record<string, unknown>>[];
  return {
    running,
    ...(phase !== undefined && { phase }),
    accounts: rows.map(({ ms_since_progress: _age, ...rest }) => rest),
    waiting,
  };
}
