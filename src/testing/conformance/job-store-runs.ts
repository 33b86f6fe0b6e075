import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { identifyOwnProcess } from '../../base/process-identity.ts';
import type { NewInboxItem } from '../../contracts/inbox.ts';
import { createTextBlock } from '../../contracts/message.ts';
import { createDelivery, MINUTE, type StageStore } from './gateway-store-samples.ts';
import { addSampleJob, claimSampleRun, LEASE_MS, readSampleJob } from './job-store-samples.ts';
import { assertRefused, SESSION } from './session-store-samples.ts';

const TAKE = { leaseMs: LEASE_MS, limit: 9 };
const createItem = (sessionId: string): NewInboxItem => ({
  sessionId,
  content: [createTextBlock('Do it.', 'owner')],
  mode: 'queue',
  origin: 'cron',
  key: 'once',
});

/** Runs: in one pair of hands each, and gone on with where they stand. */
export function testJobRuns(stage: StageStore): void {
  testHands(stage);
  testBeginnings(stage);
  testResults(stage);
}

function testHands(stage: StageStore): void {
  test('a run that somebody alive has is nobody else’s, however long its lease is over', async () => {
    await using staged = await stage();
    const { jobs } = staged.store;
    await claimSampleRun(jobs, await addSampleJob(jobs, 'report', staged.now()));
    staged.advance(10 * LEASE_MS);
    deepEqual(await (await staged.again()).jobs.take(TAKE), []);
  });

  test('a run that was given back is gone on with, and whoever had it before is refused', async () => {
    await using staged = await stage();
    const { jobs } = staged.store;
    const first = await claimSampleRun(jobs, await addSampleJob(jobs, 'report', staged.now()));
    await jobs.release(first.claim);
    const [taken, ...more] = await (await staged.again()).jobs.take(TAKE);
    deepEqual([more, taken?.run], [[], first.run]);
    equal(taken?.claim.token, first.claim.token + 1);
    await assertRefused(jobs.finish(first.claim, { state: 'done' }), 'fenced');
    await assertRefused(jobs.start(first.claim, createItem('none')), 'fenced');
    await assertRefused(jobs.release(first.claim), 'fenced');
    deepEqual(await jobs.renew([first.claim, ...(taken === undefined ? [] : [taken.claim])], LEASE_MS), [taken?.claim]);
  });

  test('what the dead of this machine had is free at once, with its session', async (context) => {
    await using staged = await stage();
    if (staged.dead === undefined) return context.skip('this store has no processes of its own machine');
    const dead = await staged.dead();
    const job = await addSampleJob(dead.jobs, 'report', staged.now());
    const first = await claimSampleRun(dead.jobs, job);
    const session = await dead.create({ ...SESSION, source: 'cron' });
    await dead.jobs.start(first.claim, createItem(session.id));
    const { jobs } = staged.store;
    equal(await jobs.nextDue(), 0);
    const [taken] = await jobs.take(TAKE);
    deepEqual(taken?.run, { ...first.run, sessionId: session.id, attempts: 1 });
    await assertRefused(dead.jobs.finish(first.claim, { state: 'done' }), 'fenced');
  });
}

function testBeginnings(stage: StageStore): void {
  test('a run and the message of its session begin together, and only once', async () => {
    await using staged = await stage();
    const { store } = staged;
    const { claim, run } = await claimSampleRun(store.jobs, await addSampleJob(store.jobs, 'report', staged.now()));
    const [session, another] = [await store.create(SESSION), await store.create(SESSION)];
    const item = await store.jobs.start(claim, createItem(session.id));
    deepEqual(await store.waiting(session.id), [item]);
    equal(await store.jobs.start(claim, createItem(another.id)), undefined);
    deepEqual([await store.waiting(another.id), (await store.jobs.runs({ sessionId: session.id })).map(({ id }) => id)], [[], [run.id]]);
    await assertRefused(
      store.jobs.start((await claimSampleRun(store.jobs, await addSampleJob(store.jobs, 'two', 1))).claim, createItem('gone')),
      'missing',
    );
    deepEqual(
      (await store.jobs.runs({ states: ['running'] })).map(({ sessionId }) => sessionId),
      [session.id, undefined],
    );
  });

  test('a script is begun once in a run, whoever goes on with it', async () => {
    await using staged = await stage();
    const { jobs } = staged.store;
    const { claim, run } = await claimSampleRun(jobs, await addSampleJob(jobs, 'report', staged.now()));
    const script = identifyOwnProcess();
    deepEqual([await jobs.beginScript(claim, script), await jobs.beginScript(claim, { ...script, pid: 1 })], [true, false]);
    await jobs.release(claim);
    const [taken] = await jobs.take(TAKE);
    deepEqual(taken?.run, { ...run, script }, 'whoever takes it over knows what may still run');
    if (taken === undefined) return;
    equal(await jobs.beginScript(taken.claim, script), false);
    await assertRefused(jobs.beginScript(claim, script), 'fenced');
    equal((await jobs.finish(taken.claim, { state: 'failed' })).script, undefined);
  });
}

function testResults(stage: StageStore): void {
  test('a result and what goes out with it are one step, once, and the ledger keeps them without the question', async () => {
    await using staged = await stage();
    const { store } = staged;
    const job = await addSampleJob(store.jobs, 'report', staged.now());
    const { claim, run } = await claimSampleRun(store.jobs, job);
    staged.advance(1_000);
    const result = { state: 'failed', why: 'no model', output: 'cron/output/x' } as const;
    const over = await store.jobs.finish(claim, result, [createDelivery('7', 'It failed.')]);
    const { job: _job, ...kept } = run;
    deepEqual(over, { ...kept, state: 'failed', overAt: staged.now(), result });
    deepEqual(await store.jobs.runs(), [over]);
    equal((await store.gateway.deliveries({})).length, 1);
    await assertRefused(store.jobs.finish(claim, result, [createDelivery('8', 'Again.')]), 'fenced');
    equal((await store.gateway.deliveries({})).length, 1);
  });

  test('failures in a row are counted until something goes well', async () => {
    await using staged = await stage();
    const { jobs } = staged.store;
    const { id } = await addSampleJob(jobs, 'report', staged.now());
    const counts: number[] = [];
    for (const state of ['failed', 'failed', 'done', 'failed'] as const) {
      await jobs.finish((await claimSampleRun(jobs, await readSampleJob(jobs, id))).claim, { state });
      counts.push((await readSampleJob(jobs, id)).failures);
    }
    deepEqual(counts, [1, 2, 0, 1]);
  });

  test('a run that was asked for is one besides the schedule, as often as it was asked for, one at a time', async () => {
    await using staged = await stage();
    const { jobs } = staged.store;
    const job = await addSampleJob(jobs, 'report', staged.now() + MINUTE);
    const [first, second] = [await jobs.ask(job.id), await jobs.ask(job.id)];
    deepEqual([first?.trigger, first?.state, first?.instant], ['asked', 'waiting', staged.now()]);
    ok((second?.instant ?? 0) > staged.now());
    equal(await jobs.nextDue(), 0);
    const taken = await Promise.all([jobs.take(TAKE), (await staged.again()).jobs.take(TAKE)]);
    const [one, ...more] = taken.flat();
    deepEqual([one?.run.id, one?.run.state, more], [first?.id, 'running', []]);
    if (one !== undefined) await jobs.finish(one.claim, { state: 'done' });
    deepEqual(
      (await jobs.take({ ...TAKE, runId: second?.id ?? '' })).map(({ run }) => run.id),
      [second?.id],
    );
    deepEqual(await readSampleJob(jobs, job.id), job);
  });

  test('whoever only wants a run joins the one that was asked for and has not begun, and it goes by the job as it is then', async () => {
    await using staged = await stage();
    const { jobs } = staged.store;
    const job = await addSampleJob(jobs, 'report', staged.now() + MINUTE);
    const first = await jobs.ask(job.id, { joins: true });
    const changed = { ...job.definition, prompt: 'Something else.' };
    await jobs.change(job.id, 1, { definition: changed });
    const many = await Promise.all(Array.from({ length: 20 }, () => jobs.ask(job.id, { joins: true })));
    deepEqual([...new Set(many.map((run) => run?.id))], [first?.id]);
    const [taken, ...others] = await jobs.take(TAKE);
    deepEqual([taken?.run.id, taken?.run.job, others], [first?.id, changed, []]);
    const next = await jobs.ask(job.id, { joins: true });
    ok(next?.state === 'waiting' && next.id !== first?.id, 'one that has begun is not joined');
    equal((await jobs.runs({ jobId: job.id })).length, 2);
  });

  test('a run goes by its job as it was, also when that is changed or removed', async () => {
    await using staged = await stage();
    const { jobs } = staged.store;
    const job = await addSampleJob(jobs, 'report', staged.now());
    const { claim } = await claimSampleRun(jobs, job);
    await jobs.change(job.id, 1, { definition: { ...job.definition, prompt: 'Something else.' } });
    await jobs.remove(job.id);
    await jobs.release(claim);
    const [taken] = await jobs.take(TAKE);
    deepEqual(taken?.run.job, job.definition);
    if (taken !== undefined) equal((await jobs.finish(taken.claim, { state: 'done' })).state, 'done');
    deepEqual(
      (await jobs.runs()).map(({ jobName, state }) => [jobName, state]),
      [['report', 'done']],
    );
  });
}
