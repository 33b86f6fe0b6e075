import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE, type StageStore } from './gateway-store-samples.ts';
import { addSampleJob, claimSampleRun, LEASE_MS, readSampleJob } from './job-store-samples.ts';

/** Instants: each is run once or left out for ever, whoever asks. */
export function testJobInstants(stage: StageStore): void {
  testClaims(stage);
  testPassing(stage);
}

function testClaims(stage: StageStore): void {
  test('a job is due when its instant has come by the store’s clock, the one that waits longest first', async () => {
    await using staged = await stage();
    const { jobs } = staged.store;
    const now = staged.now();
    const [late, soon] = [await addSampleJob(jobs, 'late', now + 5_000), await addSampleJob(jobs, 'soon', now + 2_000)];
    deepEqual([await jobs.due(9), await jobs.nextDue()], [[], 2_000]);
    staged.advance(5_000);
    deepEqual([await jobs.due(9), await jobs.due(1), await jobs.nextDue()], [[soon, late], [soon], 0]);
  });

  test('of many who ask for one instant one gets the run, and the job waits for the next', async () => {
    await using staged = await stage();
    const { jobs } = staged.store;
    const job = await addSampleJob(jobs, 'report', staged.now());
    const others = await Promise.all([staged.again(), staged.again()]);
    const stores = [jobs, ...others.map((each) => each.jobs)];
    const pass = { jobId: job.id, version: 1, from: staged.now(), run: staged.now(), next: staged.now() + MINUTE };
    const passed = await Promise.all([...stores, ...stores].map((each) => each.pass(pass, LEASE_MS)));
    const [won, ...more] = passed.flatMap((one) => one ?? []);
    deepEqual(more, []);
    const { run } = won?.taken ?? {};
    deepEqual(run, {
      id: run?.id,
      jobId: job.id,
      jobName: 'report',
      instant: staged.now(),
      trigger: 'schedule',
      state: 'running',
      job: job.definition,
      begunAt: staged.now(),
      attempts: 0,
    });
    deepEqual(await jobs.runs(), [run]);
    deepEqual(await readSampleJob(jobs, job.id), { ...job, nextAt: staged.now() + MINUTE, runs: 1 });
  });

  test('a job that was changed, paused or removed meanwhile is left alone', async () => {
    await using staged = await stage();
    const { jobs } = staged.store;
    const now = staged.now();
    const [changed, paused, gone] = [
      await addSampleJob(jobs, 'changed', now),
      await addSampleJob(jobs, 'paused', now),
      await addSampleJob(jobs, 'gone', now),
    ];
    await jobs.change(changed.id, 1, { nextAt: now });
    await jobs.change(paused.id, 1, { state: 'paused' });
    await jobs.remove(gone.id);
    for (const { id } of [changed, paused, gone])
      equal(await jobs.pass({ jobId: id, version: 1, from: now, run: now, next: now + 1 }, LEASE_MS), undefined);
    equal(await jobs.pass({ jobId: changed.id, version: 2, from: now - 1, run: now, next: now + 1 }, LEASE_MS), undefined);
    deepEqual(await jobs.runs(), []);
  });
}

function testPassing(stage: StageStore): void {
  test('what is left out is noted as one row, and a run can make up for it', async () => {
    await using staged = await stage();
    const { jobs } = staged.store;
    const now = staged.now();
    const job = await addSampleJob(jobs, 'report', now - 3 * MINUTE);
    const missed = { from: now - 3 * MINUTE, through: now - MINUTE, count: 3 };
    const passed = await jobs.pass({ jobId: job.id, version: 1, from: missed.from, run: now, missed, next: now + MINUTE }, LEASE_MS);
    deepEqual(passed?.taken?.run.madeUpFor, missed);
    const rows = await jobs.runs({ jobId: job.id });
    deepEqual(
      rows.map(({ instant, state, missed: range }) => [instant, state, range]),
      [
        [now, 'running', undefined],
        [missed.from, 'missed', missed],
      ],
    );
    equal((await readSampleJob(jobs, job.id)).runs, 1);
  });

  test('a job whose last instant is left out is over, and one whose last is run is over with that run', async () => {
    await using staged = await stage();
    const { jobs } = staged.store;
    const now = staged.now();
    const [skipped, ran] = [await addSampleJob(jobs, 'skipped', now), await addSampleJob(jobs, 'ran', now)];
    const missed = { from: now, through: now, count: 1 };
    deepEqual(await jobs.pass({ jobId: skipped.id, version: 1, from: now, missed }, LEASE_MS), {});
    const passed = await jobs.pass({ jobId: ran.id, version: 1, from: now, run: now }, LEASE_MS);
    const states = async () => (await jobs.list()).map(({ state }) => state);
    deepEqual(await states(), ['completed', 'scheduled']);
    if (passed?.taken !== undefined) await jobs.finish(passed.taken.claim, { state: 'done' });
    deepEqual(await states(), ['completed', 'completed']);
  });

  test('a job that has a run under way waits for its end, and its instants with it', async () => {
    await using staged = await stage();
    const { jobs } = staged.store;
    const job = await addSampleJob(jobs, 'report', staged.now());
    const { claim } = await claimSampleRun(jobs, job);
    staged.advance(5 * MINUTE);
    deepEqual([await jobs.due(9), await jobs.nextDue()], [[], undefined]);
    const from = staged.now() - 4 * MINUTE;
    equal(await jobs.pass({ jobId: job.id, version: 1, from, run: from, next: from + MINUTE }, LEASE_MS), undefined);
    await jobs.finish(claim, { state: 'done' });
    deepEqual([(await jobs.due(9)).map(({ id }) => id), await jobs.nextDue()], [[job.id], 0]);
  });

  test('after the clock was set back no instant is run again, and one that was not run can be waited for', async () => {
    await using staged = await stage();
    const { jobs } = staged.store;
    const start = staged.now();
    const job = await addSampleJob(jobs, 'report', start);
    await jobs.finish((await claimSampleRun(jobs, job)).claim, { state: 'done' });
    const missed = { from: start + MINUTE, through: start + 3 * MINUTE, count: 3 };
    const far = start + 1_000 * MINUTE;
    deepEqual(await jobs.pass({ jobId: job.id, version: 1, from: start + MINUTE, missed, next: far }, LEASE_MS), {});
    const back = (to: number) => jobs.advance(job.id, 1, far, to);
    deepEqual([await back(start), await back(far)], [false, false]);
    equal(await jobs.advance(job.id, 1, far - 1, start + 4 * MINUTE), false);
    equal(await back(start + 2 * MINUTE), true);
    equal((await readSampleJob(jobs, job.id)).nextAt, start + 2 * MINUTE);
    const from = start + 2 * MINUTE;
    const again = await jobs.pass({ jobId: job.id, version: 1, from, run: start, next: from + MINUTE }, LEASE_MS);
    deepEqual(again, {}, 'an instant that has its run gives no other');
    const late = await jobs.pass({ jobId: job.id, version: 1, from: from + MINUTE, run: start + MINUTE, missed, next: far }, LEASE_MS);
    equal(late?.taken?.run.instant, start + MINUTE, 'one that was only left out gives one');
  });
}
