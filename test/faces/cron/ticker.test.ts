import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import type { JobDefinition, JobRun } from '../../../src/contracts/job-store.ts';
import type { SessionStore } from '../../../src/contracts/session-store.ts';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import { cronSettings } from '../../../src/faces/cron/settings.ts';
import { startTicker, type TickerOptions } from '../../../src/faces/cron/ticker.ts';
import { createDefinition } from '../../../src/testing/conformance/job-store-samples.ts';
import { stageGatewayStore } from '../../parts/store/stage.ts';

const root = mkdtempSync(join(tmpdir(), 'hermes-ticker-'));
mkdirSync(join(root, 'scripts'));
writeFileSync(join(root, 'scripts', 'ok.sh'), 'echo done\n');
writeFileSync(join(root, 'scripts', 'slow.sh'), 'sleep 30\n');
after(() => rmSync(root, { recursive: true, force: true }));

const MINUTE = 60_000;
/** A job without a model, at every minute by the clocks of UTC. */
const minutely = (name: string, more: Partial<JobDefinition> = {}): JobDefinition =>
  createDefinition(name, {
    schedule: { kind: 'cron', expression: '* * * * *', zone: 'UTC' },
    prompt: '',
    script: 'ok.sh',
    noAgent: true,
    deliver: ['local'],
    ...more,
  });

interface TickerScene {
  readonly options: TickerOptions;
  readonly runs: JobRun[];
  readonly log: string[];
}
/** The clock of the store is moved by the test; the ticker looks again every few milliseconds. */
function createOptions(store: SessionStore): TickerScene {
  const [runs, log]: [JobRun[], string[]] = [[], []];
  const host = { store, openSession: () => Promise.reject(new Error('no model here')) };
  const options: TickerOptions = {
    kind: 'gateway',
    host,
    root,
    settings: { ...collectDefaults(cronSettings), 'cron.max_parallel_jobs': 2 },
    zone: 'UTC',
    clock: { now: systemClock.now, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 10), signal) },
    log: (words) => log.push(words),
    chats: { find: async () => ({ targets: [], problems: [] }), prepare: async () => [] },
    findKey: async () => undefined,
    onRun: (run) => runs.push(run),
  };
  return { options, runs, log };
}
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await systemClock.sleep(5, new AbortController().signal);
}
/** The next whole minute by the clock of the stage. */
const nextMinute = (now: number): number => Math.ceil((now + 1) / MINUTE) * MINUTE;

test('a ticker runs each instant when it comes, and is known as the one that does', async () => {
  await using staged = await stageGatewayStore();
  const { jobs } = staged.store;
  const first = nextMinute(staged.now());
  const { options, runs } = createOptions(staged.store);
  {
    await using ticker = startTicker(options);
    await jobs.add({ definition: minutely('each minute'), nextAt: first });
    await until(async () => (await jobs.tickers()).length === 1);
    for (let count = 1; count <= 3; count++) {
      staged.advance(first + (count - 1) * MINUTE - staged.now());
      await until(() => runs.length === count);
    }
    await ticker.drain(1_000);
  }
  assert.deepEqual(
    runs.map(({ instant, state }) => [(instant - first) / MINUTE, state]),
    [
      [0, 'done'],
      [1, 'done'],
      [2, 'done'],
    ],
  );
  assert.deepEqual(await jobs.tickers(), []);
});

test('three tickers on one store run many jobs once each, however often the clock jumps ahead', async () => {
  await using staged = await stageGatewayStore();
  const first = nextMinute(staged.now());
  const stores = [staged.store, await staged.again(), await staged.again()];
  for (let count = 0; count < 6; count++) await staged.store.jobs.add({ definition: minutely(`job ${count}`), nextAt: first });
  const scenes = stores.map(createOptions);
  const done = (): JobRun[] => scenes.flatMap(({ runs }) => runs);
  {
    await using opened = new AsyncDisposableStack();
    for (const { options } of scenes) opened.use(startTicker(options));
    for (const [round, minutes] of [0, 1, 30].entries()) {
      staged.advance(first + minutes * MINUTE - staged.now());
      await until(() => done().length === 6 * (round + 1));
    }
  }
  const ledger = await staged.store.jobs.runs();
  const rows = ledger.map(
    ({ jobName, instant, state, missed }) => `${jobName} ${(instant - first) / MINUTE} ${state} ${missed?.count ?? ''}`,
  );
  const wanted = [0, 1, 2, 3, 4, 5].flatMap((count) => [
    `job ${count} 0 done `,
    `job ${count} 1 done `,
    `job ${count} 2 missed 28`,
    `job ${count} 30 done `,
  ]);
  assert.deepEqual(rows.toSorted(), wanted.toSorted());
});

test('after the clock was set back a job waits for the next instant by the new time, and none is run twice', async () => {
  await using staged = await stageGatewayStore();
  const { jobs } = staged.store;
  const first = nextMinute(staged.now());
  const { options, runs } = createOptions(staged.store);
  const { id } = await jobs.add({ definition: minutely('each minute'), nextAt: first });
  await using _ticker = startTicker(options);
  staged.advance(first - staged.now());
  await until(() => runs.length === 1);
  // A year ahead by mistake, and back to five seconds before the instant that was run.
  staged.advance(365 * 24 * 60 * MINUTE);
  await until(() => runs.length === 2);
  staged.advance(first - 5_000 - staged.now());
  await until(async () => (await jobs.find(id))[0]?.nextAt === first + MINUTE);
  staged.advance(5_000);
  await systemClock.sleep(50, new AbortController().signal);
  staged.advance(MINUTE);
  await until(() => runs.length === 3);
  const year = first + 365 * 24 * 60 * MINUTE;
  assert.deepEqual(
    runs.map(({ instant }) => instant),
    [first, year, first + MINUTE],
  );
});

test('a run that was asked for starts at once, and one job is run at a time', async () => {
  await using staged = await stageGatewayStore();
  const { jobs } = staged.store;
  const { options, runs } = createOptions(staged.store);
  await using _ticker = startTicker(options);
  const job = await jobs.add({ definition: minutely('asked'), nextAt: staged.now() + 1e9 });
  await jobs.ask(job.id);
  await jobs.ask(job.id);
  await until(() => runs.length === 2);
  assert.deepEqual(
    runs.map(({ trigger, state }) => [trigger, state]),
    [
      ['asked', 'done'],
      ['asked', 'done'],
    ],
  );
});

test('a job whose schedule cannot be read is paused, and the others go on', async () => {
  await using staged = await stageGatewayStore();
  const { jobs } = staged.store;
  const { options, runs, log } = createOptions(staged.store);
  await jobs.add({
    definition: minutely('broken', { schedule: { kind: 'cron', expression: 'what', zone: 'UTC' } }),
    nextAt: staged.now() - 1,
  });
  await jobs.add({ definition: minutely('sound'), nextAt: staged.now() });
  await using _ticker = startTicker(options);
  await until(() => runs.length === 1);
  const [broken] = await jobs.find('broken');
  assert.deepEqual([broken?.state, runs[0]?.jobName, log.filter((words) => words.includes('is paused')).length], ['paused', 'sound', 1]);
  assert.match(broken?.pausedWhy ?? '', /cannot be read/);
});

test('a script that runs while the program stops is ended, and its run is a failure', async () => {
  await using staged = await stageGatewayStore();
  const { jobs } = staged.store;
  const { options, runs } = createOptions(staged.store);
  await jobs.add({ definition: minutely('slow', { script: 'slow.sh' }), nextAt: staged.now() });
  {
    await using ticker = startTicker(options);
    await until(() => ticker.running === 1);
    await ticker.drain(20);
    assert.equal(ticker.running, 1);
  }
  assert.deepEqual(
    runs.map(({ state, result }) => [state, result?.why]),
    [['failed', 'its script slow.sh failed: it was ended because the program stopped.']],
  );
});
