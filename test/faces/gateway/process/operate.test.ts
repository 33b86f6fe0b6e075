import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createLogFile } from '../../../../src/faces/gateway/process/log-file.ts';
import { watchSignals } from '../../../../src/faces/gateway/process/signals.ts';
import { noteStart, planWait } from '../../../../src/faces/gateway/process/start-brake.ts';
import { readStatus } from '../../../../src/faces/gateway/process/status.ts';
import { claimGateway, findAllGateways } from '../../../../src/faces/gateway/process/claims.ts';
import { writeReport } from '../../../../src/faces/gateway/process/state-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-operate-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const newHome = (): string => mkdtempSync(join(folder, 'home-'));

test('more than five starts in two minutes wait longer each time, and old starts are forgotten', () => {
  const home = newHome();
  const waits = Array.from({ length: 8 }, (_, index) => noteStart(home, {}, 1_000_000 + index));
  assert.deepEqual(waits, [0, 0, 0, 0, 0, 10_000, 20_000, 40_000]);
  assert.equal(noteStart(home, {}, 1_000_000 + 121_000), 0);
  const set = { HERMES_GATEWAY_MAX_STARTS: '1', HERMES_GATEWAY_START_WINDOW_S: '10' };
  assert.deepEqual([noteStart(home, set, 5_000_000), noteStart(home, set, 5_000_001), noteStart(home, set, 5_020_000)], [0, 10_000, 0]);
  assert.equal(planWait(100, 5), 300_000);
});

test('the log is redacted, one line is one line of the file, and old files go', () => {
  const path = join(newHome(), 'logs', 'gateway.log');
  const log = createLogFile(
    path,
    (text) => text.replaceAll('s3cret', '***'),
    () => 0,
  );
  log('token s3cret\u001b[2J');
  assert.equal(readFileSync(path, 'utf8'), '1970-01-01T00:00:00.000Z token ***\n');
  for (let round = 0; round < 6; round++) {
    writeFileSync(path, 'x'.repeat(5_000_001));
    log(`round ${round}`);
  }
  assert.deepEqual(readdirSync(join(path, '..')).toSorted(), ['gateway.log', 'gateway.log.1', 'gateway.log.2', 'gateway.log.3']);
  assert.ok(statSync(path).size < 100);
});

test('the first signal asks for the end, the second does not wait; SIGUSR1 restarts; SIGHUP says what to do', async () => {
  const watch = (isAtTerminal: boolean) => {
    const [source, told, exits]: [EventEmitter, string[], number[]] = [new EventEmitter(), [], []];
    const exit = (code: number): void => void exits.push(code);
    return { source, told, exits, signals: watchSignals(Object.assign(source, { exit }), (words) => told.push(words), isAtTerminal) };
  };
  const one = watch(false);
  one.source.emit('SIGHUP');
  assert.deepEqual([one.told.length, one.signals.signal.aborted], [1, false]);
  one.source.emit('SIGTERM');
  assert.deepEqual([await one.signals.requested, one.exits], ['stop', []]);
  one.source.emit('SIGINT');
  assert.deepEqual(one.exits, [130]);
  const two = watch(true);
  two.source.emit('SIGUSR1');
  assert.equal(await two.signals.requested, 'restart');
  const three = watch(true);
  three.source.emit('SIGHUP');
  assert.equal(await three.signals.requested, 'stop');
});

test('a gateway that hangs is never shown as connected', async () => {
  const [home, env] = [newHome(), { HERMES_GATEWAY_LOCK_DIR: join(folder, 'locks') }];
  const claimed = await claimGateway(home, env);
  assert.ok(claimed.ok);
  const account = { platform: 'telegram', account: 'main', state: 'connected', reconnects: 0, msSinceProgress: 1_000 } as const;
  writeReport(home, { pid: process.pid, at: 100_000, phase: 'running', turns: 2, accounts: [account] });
  const fresh = await readStatus(home, undefined, 104_000);
  assert.deepEqual([fresh.ok, fresh.phase, fresh.turns, fresh.accounts], [true, 'running', 2, [{ ...account, msSinceProgress: 5_000 }]]);
  const stale = await readStatus(home, undefined, 160_000);
  const why = 'The gateway has not reported for 60 s.';
  assert.deepEqual([stale.ok, stale.running, stale.phase], [false, true, 'unknown']);
  assert.deepEqual(stale.accounts, [{ ...account, state: 'unknown', why, msSinceProgress: 61_000 }]);
  assert.deepEqual(
    findAllGateways(env).map(({ pid, home: at }) => [pid, at]),
    [[process.pid, home]],
  );
  await claimed.claim[Symbol.asyncDispose]();
  // What the dead said last does not count.
  const gone = await readStatus(home, undefined, 104_000);
  assert.deepEqual([gone.ok, gone.running, gone.accounts], [false, false, []]);
  assert.deepEqual(findAllGateways(env), []);
});
