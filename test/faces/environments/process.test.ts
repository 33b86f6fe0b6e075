import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseJson, readPath } from '../../../src/base/json.ts';
import { readLines } from '../../../src/faces/environments/result-file.ts';
import { processTasks } from '../../../src/faces/environments/process.ts';
import { runRollout } from '../../../src/faces/environments/rollout.ts';
import { stageServe, traceOf } from './serve/scene.ts';

test('a group that was cut off is made whole from the attempts that were finished, with their tokens', async () => {
  const stop = new AbortController();
  await using scene = await stageServe({
    url: 'http://127.0.0.1:9',
    env: { group_size: 3, max_num_workers: 3 },
    answer: (attempt) => ({ text: '1', ...(attempt === 2 && { paceMs: 1_000_000 }) }),
  });
  const groups = join(scene.out, 'groups.jsonl');
  const run = (signal: AbortSignal, onAttempt: (done: number) => void = () => {}) =>
    processTasks({
      ...scene.deps(signal),
      out: join(scene.out, 'trajectories.jsonl'),
      groups,
      count: 1,
      onProgress: ({ done }) => onAttempt(done),
    });
  const first = await run(stop.signal, (done) => done === 2 && stop.abort());
  assert.deepEqual([first.isStopped, first.trajectories, readLines(groups).length], [true, 2, 0]);
  const second = await run(new AbortController().signal);
  assert.deepEqual([second.isStopped, second.trajectories, second.resumed, scene.asked.get('one')], [false, 3, 2, 4]);
  const [group] = readLines(groups);
  assert.deepEqual(
    group?.['tokens'],
    [0, 1, 3].map((attempt) => traceOf(attempt).sequences.flatMap(({ segments }) => segments.flatMap(({ tokens }) => tokens))),
  );
  const third = await run(new AbortController().signal);
  assert.deepEqual([third.resumed, readLines(groups).length, scene.asked.get('one')], [3, 1, 4]);
});

test('figures of all that was made are written, also when the run was stopped, and again when it went on', async () => {
  const stop = new AbortController();
  await using scene = await stageServe({
    url: 'http://127.0.0.1:9',
    env: { max_num_workers: 2 },
    answer: (attempt) => ({ text: String(attempt % 2), ...(attempt === 3 && { paceMs: 1_000_000 }) }),
  });
  const run = async (signal: AbortSignal, onAttempt: (done: number) => void = () => {}) => {
    const out = join(scene.out, 'trajectories.jsonl');
    await processTasks({ ...scene.deps(signal), out, groups: null, count: 2, onProgress: ({ done }) => onAttempt(done) });
    const figures = parseJson(readFileSync(join(scene.out, 'trajectories-metrics.json'), 'utf8'));
    const names = ['config_hash', 'environment', 'stopped', 'groups', 'lost', 'attempts', 'passed', 'tasks'];
    return [...names.map((name) => readPath(figures, name)), readPath(figures, 'reward', 'mean')];
  };
  assert.deepEqual(await run(stop.signal, (done) => done === 3 && stop.abort()), ['hash', 'numbers', true, 2, 0, 3, 1, 2, 1 / 3]);
  assert.deepEqual(await run(new AbortController().signal), ['hash', 'numbers', false, 2, 0, 4, 1, 2, 0.25]);
});

test('an attempt in which the model never answered is made again, and its group is written when it is whole', async () => {
  await using scene = await stageServe({
    url: 'http://127.0.0.1:9',
    answer: (attempt) => (attempt === 1 ? { fails: { type: 'forbidden', detail: 'no such key' } } : { text: '1' }),
  });
  const [groups, out] = [join(scene.out, 'groups.jsonl'), join(scene.out, 'trajectories.jsonl')];
  const run = () => processTasks({ ...scene.deps(new AbortController().signal), out, groups, count: 1, onProgress: () => {} });
  const first = await run();
  assert.deepEqual([first.trajectories, first.lost], [2, 1]);
  assert.deepEqual([readLines(groups).length, readLines(out).map(({ error }) => error === null)], [0, [true, false]]);
  const second = await run();
  assert.deepEqual([second.lost, second.resumed, second.trajectories, readLines(groups).length, readLines(out).length], [0, 1, 2, 1, 3]);
});

test('an attempt that takes all the time there is ends, is judged, and keeps the tokens it has', async () => {
  await using scene = await stageServe({ url: 'http://127.0.0.1:9', answer: () => ({ text: '1', paceMs: 1_000_000 }) });
  const deps = scene.deps(new AbortController().signal);
  const { scored, result } = await runRollout(
    { ...deps, environment: { ...deps.environment, reward: async () => 0.5 } },
    { task: { id: 'one' }, attempt: 1, toolsets: ['none'], seconds: 0.1, signal: new AbortController().signal },
  );
  assert.deepEqual([scored.error, result.managedState], ['the agent was stopped after 0.1 s', traceOf(0)]);
});

test('laying out a task is none of the time of the model, and ends when it takes too long', async () => {
  await using scene = await stageServe({ url: 'http://127.0.0.1:9' });
  const deps = scene.deps(new AbortController().signal);
  let clock = 0;
  const attempt = (prepare: () => Promise<void>, seconds: number) =>
    runRollout(
      { ...deps, now: () => clock, environment: { ...deps.environment, prepare } },
      { task: { id: 'one' }, attempt: 1, toolsets: ['none'], seconds, signal: new AbortController().signal },
    );
  const slow = await attempt(async () => void (clock += 1_000_000), 500);
  assert.deepEqual([slow.scored.agentSeconds, slow.scored.error, scene.asked.get('one')], [0, undefined, 1]);
  // Nothing else keeps this process alive meanwhile.
  const busy = setInterval(() => {}, 1_000);
  const { scored } = await attempt(() => new Promise(() => {}), 0.1).finally(() => clearInterval(busy));
  assert.deepEqual(
    [scored.error, scored.turnsUsed, scored.agentSeconds, scene.asked.get('one')],
    ['the task was not laid out within 0.1 s', 0, 0, 1],
  );
});
