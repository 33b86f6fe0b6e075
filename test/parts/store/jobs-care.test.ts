import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobDefinition } from '../../../src/contracts/job-store.ts';
import { addSampleJob, claimSampleRun, LEASE_MS, readSampleJob } from '../../../src/testing/conformance/job-store-samples.ts';
import { stageGatewayStore } from './stage.ts';

const DAY = 86_400_000;

test('a job that is over is forgotten 90 days after its last run, and one that goes on keeps its latest runs', async () => {
  await using staged = await stageGatewayStore();
  const { store } = staged;
  const { jobs } = store;
  /** It runs once, and waits for nothing then. */
  const runOnce = async (name: string, more: Partial<JobDefinition> = {}): Promise<string> => {
    const { id, version, nextAt = 0 } = await addSampleJob(jobs, name, staged.now(), more);
    const passed = await jobs.pass({ jobId: id, version, from: nextAt, run: nextAt }, LEASE_MS);
    await jobs.finish(passed?.taken?.claim ?? assert.fail(), { state: 'done' });
    return id;
  };
  const left = async (): Promise<unknown> => {
    while (await store.care?.tend());
    return [(await jobs.list()).map(({ definition }) => definition.name), (await jobs.runs()).map(({ jobName }) => jobName).toSorted()];
  };
  await runOnce('once');
  const wanted = await runOnce('wanted');
  const daily = await addSampleJob(jobs, 'daily', staged.now(), { contextFrom: [wanted] });
  await jobs.finish((await claimSampleRun(jobs, daily)).claim, { state: 'done' });
  const removed = await addSampleJob(jobs, 'removed', staged.now());
  await jobs.finish((await claimSampleRun(jobs, removed)).claim, { state: 'done' });
  await jobs.remove(removed.id);
  const cut = await addSampleJob(jobs, 'cut', staged.now());
  await claimSampleRun(jobs, cut);
  await jobs.remove(cut.id);
  staged.advance(89 * DAY);
  const young = await runOnce('young');
  assert.deepEqual(await left(), [
    ['once', 'wanted', 'daily', 'young'],
    ['cut', 'daily', 'once', 'removed', 'wanted', 'young'],
  ]);
  staged.advance(2 * DAY);
  const stays = [
    ['wanted', 'daily', 'young'],
    ['cut', 'daily', 'wanted', 'young'],
  ];
  assert.deepEqual(await left(), stays, 'and a run that is not over stays, whatever became of its job');
  assert.equal((await readSampleJob(jobs, young)).state, 'completed');
});
