import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readPath } from '../../../../src/base/json.ts';
import { readLines } from '../../../../src/faces/environments/result-file.ts';
import { serve } from '../../../../src/faces/environments/serve/serve.ts';
import { createAtroposCall, startTrainer, type AtroposCall } from '../../../../src/testing/atropos/call.ts';
import { startAtroposApi } from '../../../../src/testing/atropos/server.ts';
import { closeServer, listenLocally, originOf } from '../../../../src/testing/loopback/local-server.ts';
import type { ServeProgress } from '../../../../src/contracts/services/environments.ts';
import { runSlowTrainer } from './slow-trainer.ts';
import { contentOf, madeGroups, metricsOf, nameOf, pull, stageServe, traceOf, type ServeScene } from './scene.ts';

const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await sleep(5);
};
/** Pulls until the promise is settled, and gives all groups that came. */
async function trainUntil(call: AtroposCall, ended: Promise<unknown>) {
  const groups: Awaited<ReturnType<typeof pull>>[number][] = [];
  const over = ended.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([over, sleep(5, false)]))) groups.push(...(await pull(call)));
  return groups;
}

test('a trainer gets every group once, as it was made, until it has made its steps', async () => {
  await using api = await startAtroposApi();
  const call = createAtroposCall(api.url);
  await using scene = await stageServe({ url: api.url, env: { wandb_name: 'mine', steps_per_eval: 100 } });
  const served = serve(scene.deps(new AbortController().signal));
  await until(() => scene.told.some(({ phase }) => phase === 'waiting'));
  assert.ok(scene.told.some(({ news }) => news?.endsWith('its trainer has not started; waiting for it')));
  await startTrainer(call, 4, 3);
  const groups = await trainUntil(call, served);
  const result = await served;
  assert.deepEqual([result.isStopped, result.totalSteps, result.step >= 3, result.counts.keptBack], [false, 3, true, {}]);
  const saved = new Map(madeGroups(scene.out));
  assert.equal(new Set(groups.map(nameOf)).size, groups.length, 'none came twice');
  for (const group of groups) assert.deepEqual(contentOf(group), saved.get(nameOf(group)));
  assert.deepEqual(readPath(groups[0], 'masks', 0), [-100, -100, -100, readPath(groups[0], 'tokens', 0, 3), 2]);
  assert.ok(scene.told.some(({ news }) => news === 'registered as mine_0'));
  // A step during which no group was finished has no figures of any.
  const line = metricsOf(scene.out).findLast((each) => each['train/groups'] !== undefined);
  assert.deepEqual([line?.['train/avg_reward'], line?.['train/completion_lengths'], line?.['serve/repeated']], [0.5, 5, 0]);
  // It left: another environment has all of the weight.
  await call('POST', '/register-env', { max_token_length: 9, desired_name: 'other', weight: 1, group_size: 2 });
  assert.equal(readPath((await call('GET', '/status-env', { env_id: 1 })).body, 'env_weight'), 1);
});

test('a slow trainer stops new groups, and nothing that is finished is thrown away', async () => {
  await using api = await startAtroposApi();
  // Two batches of four attempts, in groups of two, wait whenever it asks. The API makes both of them at the first ask, so the second makes no room.
  assert.deepEqual(await runSlowTrainer(api.url, 2), { held: [4, 4, 4], attempts: 24, thrownAway: 0 });
});
const sum = ({ asked }: Pick<ServeScene, 'asked'>): number => [...asked.values()].reduce((total, count) => total + count, 0);

for (const [what, reason, options] of [
  ['without tokens', 'unfit', { trace: null }],
  [
    'that are too long for the trainer',
    'too_long',
    { trace: () => ({ sequences: [{ segments: [{ type: 'prompt' as const, tokens: Array.from({ length: 4_096 }, () => 1) }] }] }) },
  ],
  ['with the same scores', 'same_scores', { answer: () => ({ text: '1' }) }],
  ['with a sequence too many', 'split', { trace: () => ({ sequences: [...traceOf(3).sequences, ...traceOf(4).sequences] }) }],
  ['whose model failed', 'broken', { answer: () => ({ fails: { type: 'forbidden' as const, detail: 'no' } }) }],
] as const)
  test(`groups ${what} are kept back, told and counted`, async () => {
    await using api = await startAtroposApi();
    const call = createAtroposCall(api.url);
    await startTrainer(call, 4);
    const stop = new AbortController();
    await using scene = await stageServe({ url: api.url, ...options });
    const served = serve(scene.deps(stop.signal));
    await until(() => (scene.told.at(-1)?.counts.keptBack[reason] ?? 0) > 0);
    stop.abort();
    const { counts } = await served;
    assert.deepEqual([counts.accepted, readPath((await call('GET', '/status')).body, 'queue_size')], [0, 0]);
    const kept = readLines(join(scene.out, 'kept-back.jsonl'));
    assert.deepEqual([kept.length, kept[0]?.['reason']], [counts.finished, reason]);
    assert.ok(Array.isArray(readPath(kept[0], 'scored', 'scores')), 'what was finished is not thrown away');
    assert.ok(scene.told.some(({ news }) => news?.startsWith('group 0 is kept back: ')));
  });

test('when not one request fits, the run is refused with the limit and whose it is', async () => {
  await using api = await startAtroposApi();
  await startTrainer(createAtroposCall(api.url), 4);
  const fails = { type: 'context_overflow' as const, limit: 4_095, detail: 'The conversation has 5000 tokens.' };
  await using scene = await stageServe({ url: api.url, answer: () => ({ fails }) });
  await assert.rejects(
    serve(scene.deps(new AbortController().signal)),
    /no task fits: .*4096 tokens, told by the trainer.*enabled_toolsets/s,
  );
  assert.ok(!scene.told.some(({ phase }) => phase === 'failing'), 'neither model nor place is blamed');
});

test('the limit of the trainer holds for what the model may write', async () => {
  await using api = await startAtroposApi();
  const call = createAtroposCall(api.url);
  await startTrainer(call, 2, 1);
  await using scene = await stageServe({ url: api.url });
  const deps = scene.deps(new AbortController().signal);
  const limits: (number | undefined)[] = [];
  const openModel: typeof deps.openModel = (given) => {
    limits.push(given?.maxTokens);
    return deps.openModel(given);
  };
  await trainUntil(call, serve({ ...deps, openModel }));
  assert.deepEqual([...new Set(limits)], [4_095]);
});

test('groups without tokens are sent when told so, and say what they are', async () => {
  await using api = await startAtroposApi();
  const call = createAtroposCall(api.url);
  await startTrainer(call, 2, 1);
  await using scene = await stageServe({ url: api.url, trace: null, allowUnfit: true });
  const [group] = await trainUntil(call, serve(scene.deps(new AbortController().signal)));
  assert.deepEqual([readPath(group, 'group_overrides', 'unfit_for_training'), readPath(group, 'tokens')], [true, [[0], [0]]]);
});

test('a push without an answer is repeated and counted, and an API that was restarted is registered with again', async () => {
  await using api = await startAtroposApi();
  const call = createAtroposCall(api.url);
  await startTrainer(call, 2);
  api.withholdAnswers(1);
  const stop = new AbortController();
  await using scene = await stageServe({ url: api.url, env: { max_batches_offpolicy: 1 } });
  const served = serve(scene.deps(stop.signal));
  const before: string[] = [];
  await until(async () => before.push(...(await pull(call)).map(nameOf)) >= 4);
  assert.equal(scene.told.at(-1)?.counts.repeated, 1);
  assert.deepEqual([before.filter((name) => name.endsWith('/0')).length, new Set(before).size], [2, before.length - 1]);
  api.restart();
  await until(() => scene.told.at(-1)?.phase === 'waiting');
  await startTrainer(call, 2);
  const after: string[] = [];
  await until(async () => after.push(...(await pull(call)).map(nameOf)) >= 2);
  stop.abort();
  await served;
  assert.equal(scene.told.filter(({ news }) => news?.startsWith('registered as numbers_')).length, 2);
  assert.equal(after.filter((name) => before.includes(name)).length, 0);
});

test('what is finished when it is stopped is sent by the next process, and no attempt is made twice', async () => {
  await using api = await startAtroposApi();
  const call = createAtroposCall(api.url);
  await startTrainer(call, 2, 2);
  const stop = new AbortController();
  await using scene = await stageServe({
    url: api.url,
    env: { max_num_workers: 2, ensure_scores_are_not_same: false },
    answer: (attempt) => ({ text: String(attempt % 2), ...(attempt === 1 && { paceMs: 1_000_000 }) }),
  });
  const served = serve(scene.deps(stop.signal));
  await until(() => readLines(join(scene.out, 'outbox.jsonl')).length === 1);
  stop.abort();
  const { isStopped, counts } = await served;
  assert.deepEqual([isStopped, counts.finished], [true, 0]);
  const groups = await trainUntil(call, serve(scene.deps(new AbortController().signal)));
  assert.ok(
    groups.some((group) => nameOf(group).endsWith('/0')),
    'the group that was cut off came whole',
  );
  assert.deepEqual([groups.length >= 2, new Set(groups.map(nameOf)).size], [true, groups.length]);
  assert.equal(scene.asked.get('one'), 3, 'the attempt that was cut off, and nothing else, is made again');
});

for (const handling of ['STOP_TRAIN', 'NONE'] as const)
  test(`every step is evaluated after, and with ${handling} training ${handling === 'NONE' ? 'goes on' : 'waits'} meanwhile`, async () => {
    await using api = await startAtroposApi();
    const call = createAtroposCall(api.url);
    await startTrainer(call, 2);
    const stop = new AbortController();
    const gate = Promise.withResolvers<void>();
    await using scene = await stageServe({
      url: api.url,
      env: { steps_per_eval: 1, eval_handling: handling },
      answer: async (attempt, prompt) => {
        if (/number for (?:four|five)/.test(prompt)) await gate.promise;
        return { text: String(attempt % 2) };
      },
    });
    const training = () => sum(scene) - (scene.asked.get('four') ?? 0) - (scene.asked.get('five') ?? 0);
    const now = (): Partial<ServeProgress> => scene.told.findLast(({ news }) => news === undefined) ?? {};
    const served = serve(scene.deps(stop.signal));
    await until(async () => (await pull(call)).length > 0);
    await until(() => scene.asked.get('four') === 1 && now().phase === 'evaluating');
    if (handling === 'STOP_TRAIN') await until(() => now().running === 0);
    const before = training();
    if (handling === 'NONE') await until(async () => (await pull(call), training() >= before + 4));
    else await sleep(100);
    if (handling === 'STOP_TRAIN') assert.equal(training(), before);
    gate.resolve();
    await until(async () => (await pull(call), scene.told.filter(({ news }) => news?.startsWith('evaluated at step ')).length >= 2));
    stop.abort();
    assert.ok((await served).evaluations >= 2);
    assert.equal(metricsOf(scene.out).find((each) => each['eval/attempts'] !== undefined)?.['eval/attempts'], 2);
  });

test('an API that never answers does not keep anybody from stopping', async () => {
  const server = createServer(() => {});
  await listenLocally(server);
  const stop = new AbortController();
  await using scene = await stageServe({ url: originOf(server) });
  const served = serve(scene.deps(stop.signal));
  await once(server, 'request');
  stop.abort();
  assert.equal((await served).isStopped, true);
  await closeServer(server);
  await using other = await stageServe({ url: 'localhost:8000' });
  await assert.rejects(serve(other.deps(new AbortController().signal)), /must be an address such as http:/);
});

test('a trainer whose batches are smaller than a group is told so', async () => {
  await using api = await startAtroposApi();
  await startTrainer(createAtroposCall(api.url), 1);
  await using scene = await stageServe({ url: api.url });
  await assert.rejects(serve(scene.deps(new AbortController().signal)), /takes 1 attempts in a batch.*Set env\.group_size/);
});

test('a registration that a kill left is taken back when it holds a share of every batch', async () => {
  await using api = await startAtroposApi();
  const call = createAtroposCall(api.url);
  await startTrainer(call, 4);
  const share = async () => readPath((await call('GET', '/status-env', { env_id: 0 })).body, 'unallocated_fraction');
  const stop = new AbortController();
  await using scene = await stageServe({ url: api.url, env: { min_batch_allocation: 0.25 } });
  await call('POST', '/register-env', {
    max_token_length: 9,
    desired_name: 'numbers',
    weight: 1,
    group_size: 2,
    min_batch_allocation: 0.25,
  });
  writeFileSync(join(scene.out, 'serve.json'), JSON.stringify({ series: 's', registered: { url: api.url, envId: 0, name: 'numbers_0' } }));
  assert.equal(await share(), 0.75);
  const served = serve(scene.deps(stop.signal));
  await until(() => scene.told.some(({ news }) => news === 'registered as numbers_1'));
  assert.equal(await share(), 0.75, 'ours, and no longer the one that was left');
  stop.abort();
  await served;
  assert.equal(await share(), 1);
});
