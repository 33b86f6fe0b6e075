import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { ACCOUNT, createTarget, type StageStore } from './gateway-store-samples.ts';
import { addSampleJob, createDefinition } from './job-store-samples.ts';

/** What is to be done, and when: kept as it was given, changed by whoever has read it last. */
export function testJobDefinitions(stage: StageStore): void {
  test('a job is kept as it was given and found by its id, the beginning of it and its name', async () => {
    await using staged = await stage();
    const { jobs } = staged.store;
    const definition = createDefinition('Daily report', { skills: ['a', 'b'], repeat: 3, cwd: '/work', toolsets: ['web'] });
    const job = await jobs.add({ definition, nextAt: 500 });
    match(job.id, /^[0-9a-f]{12}$/);
    const { id } = job;
    const whole = { id, version: 1, state: 'scheduled', definition, createdAt: staged.now(), nextAt: 500, runs: 0, failures: 0 };
    deepEqual(job, whole);
    for (const ref of [id, id.slice(0, 6), 'daily REPORT']) deepEqual(await jobs.find(ref), [job], ref);
    deepEqual([await jobs.find('report'), await jobs.find(''), await jobs.find('%')], [[], [], []]);
    equal(await jobs.now(), staged.now());
  });

  test('a name that two jobs have finds both, and an id in full comes before a name', async () => {
    await using staged = await stage();
    const { jobs } = staged.store;
    const [one, two] = [await addSampleJob(jobs, 'same', 1), await addSampleJob(jobs, 'same', 2)];
    const three = await addSampleJob(jobs, one.id, 3);
    deepEqual(await jobs.find('same'), [one, two]);
    deepEqual(await jobs.find(one.id), [one]);
    deepEqual(await jobs.list(), [one, two, three]);
  });

  test('a change needs the latest version, and of two who have read the same one wins', async () => {
    await using staged = await stage();
    const { jobs } = staged.store;
    const other = (await staged.again()).jobs;
    const job = await addSampleJob(jobs, 'report', 500);
    const [mine, theirs] = [createDefinition('mine'), createDefinition('theirs')];
    const changed = await Promise.all([
      jobs.change(job.id, 1, { definition: mine, nextAt: 900 }),
      other.change(job.id, 1, { definition: theirs, nextAt: 900 }),
    ]);
    const [won, ...more] = changed.flatMap((found) => found ?? []);
    deepEqual([more, won?.version, won?.nextAt], [[], 2, 900]);
    deepEqual(await jobs.list(), [won]);
    equal(await jobs.change(job.id, 1, { state: 'paused' }), undefined);
    equal(await jobs.change('none', 1, { state: 'paused' }), undefined);
  });

  test('a job that is paused says why, waits for nothing and keeps its definition', async () => {
    await using staged = await stage();
    const { jobs } = staged.store;
    const job = await addSampleJob(jobs, 'report', 500);
    const paused = await jobs.change(job.id, 1, { state: 'paused', nextAt: null, pausedWhy: 'holidays' });
    const { nextAt: _nextAt, ...rest } = job;
    deepEqual(paused, { ...rest, version: 2, state: 'paused', pausedWhy: 'holidays' });
    deepEqual([await jobs.due(9), await jobs.list({ states: ['scheduled'] }), await jobs.nextDue()], [[], [], undefined]);
    deepEqual(await jobs.change(job.id, 2, { state: 'scheduled', nextAt: 700 }), { ...job, version: 3, nextAt: 700 });
    equal((await jobs.add({ definition: createDefinition('later') })).state, 'paused', 'without an instant it begins paused');
  });

  test('results go where the chat of a job has moved to', async () => {
    await using staged = await stage();
    const { jobs, gateway } = staged.store;
    const [moved, stays] = [await addSampleJob(jobs, 'here', 500), await addSampleJob(jobs, 'there', 500, { origin: createTarget('8') })];
    await gateway.moveChat(ACCOUNT, { chatId: '7' }, { chatId: '-1007' }, { from: 'a', to: 'b' });
    const definition = { ...moved.definition, origin: createTarget('-1007') };
    deepEqual(await jobs.list(), [{ ...moved, version: 2, definition }, stays]);
  });

  test('a job that was removed is gone, with what was asked for and not begun', async () => {
    await using staged = await stage();
    const { jobs } = staged.store;
    const job = await addSampleJob(jobs, 'report', 500);
    await jobs.ask(job.id);
    deepEqual([await jobs.remove(job.id), await jobs.remove(job.id)], [true, false]);
    deepEqual([await jobs.list(), await jobs.runs(), await jobs.take({ leaseMs: 1, limit: 9 })], [[], [], []]);
    equal(await jobs.ask(job.id), undefined);
  });
}
