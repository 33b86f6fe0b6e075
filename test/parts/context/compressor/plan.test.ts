import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planCompaction, SHAPE, type PlanLimits } from '../../../../src/parts/context/compressor/plan.ts';
import { listViewRows } from '../../../../src/parts/context/compressor/rows/rows.ts';
import { createTextBlock } from '../../../../src/contracts/message.ts';
import { bulk, newLog, type Log } from './log.ts';

const shape = (given: Partial<PlanLimits> = {}): PlanLimits => ({
  ...SHAPE,
  tail: 1_000,
  softTail: 1_500,
  room: 5_000,
  request: [],
  protectLast: 4,
  ...given,
});
const planned = (log: Log, given?: Partial<PlanLimits>) => {
  const plan = planCompaction(listViewRows(log.entries), shape(given));
  return plan && [plan.head.map(({ fromSeq }) => fromSeq), plan.fromSeq, plan.toSeq, plan.tail.map(({ fromSeq }) => fromSeq)];
};
const step = (tokens: number, calls = 1) => Array.from({ length: calls }, () => ({ name: 'look', result: bulk(tokens / calls) }));

/** user, then `count` steps of `tokens` each: seqs 1, then 2–3, 4–5 … */
function steps(count: number, tokens: number, calls = 1): Log {
  const log = newLog();
  log.user('go');
  for (let index = 0; index < count; index++) log.step(step(tokens, calls));
  return log;
}

test('the first two messages stay, with the results of their calls', () => {
  assert.deepEqual(planned(steps(10, 400))?.[0], [1, 2, 3]);
  const parallel = steps(10, 400, 3);
  assert.deepEqual(planned(parallel)?.[0], [1, 2, 3, 4, 5]);
});

test('the tail is what the budget holds, to the soft cap for a step that begins within it', () => {
  assert.deepEqual(planned(steps(10, 400)), [[1, 2, 3], 4, 15, [16, 17, 18, 19, 20, 21]]);
  assert.deepEqual(planned(steps(10, 700), { protectLast: 1 })?.[3], [18, 19, 20, 21]);
  assert.deepEqual(planned(steps(10, 900), { protectLast: 1 })?.[3], [18, 19, 20, 21], 'three at least, and no call without its result');
});

test('the last messages are protected by number while they fit, and yield down to three when they do not', () => {
  assert.deepEqual(planned(steps(10, 700), { protectLast: 8 })?.[3], [14, 15, 16, 17, 18, 19, 20, 21]);
  assert.deepEqual(planned(steps(10, 700), { protectLast: 8, room: 2_000 })?.[3], [18, 19, 20, 21]);
  assert.deepEqual(planned(steps(10, 9_000), { protectLast: 8, room: 2_000 })?.[3], [18, 19, 20, 21]);
});

test('what the head and a request in the notes take is room the tail does not have', () => {
  const log = steps(10, 700);
  const eight = [14, 15, 16, 17, 18, 19, 20, 21];
  const given = { protectLast: 8, room: 3_800 };
  assert.deepEqual(planned(log, given)?.[3], eight);
  assert.deepEqual(planned(log, { ...given, room: 3_400 })?.[3], [18, 19, 20, 21], 'the head counts');
  assert.deepEqual(planned(log, { ...given, request: [{ seq: 6, tokens: 900 }] })?.[3], [18, 19, 20, 21], 'so does a request between both');
  for (const seq of [1, 15])
    assert.deepEqual(planned(log, { ...given, request: [{ seq, tokens: 900 }] })?.[3], eight, 'one that stays is counted once');
});

test('the tail by tokens yields as well, down to three messages', () => {
  assert.deepEqual(planned(steps(10, 400), { protectLast: 1, room: 1_300 })?.[3], [18, 19, 20, 21]);
  assert.deepEqual(planned(steps(10, 400), { protectLast: 1, room: -5_000 })?.[3], [18, 19, 20, 21]);
});

test('a cut never parts calls from their results', () => {
  for (let protectLast = 1; protectLast < 30; protectLast++) {
    const plan = planCompaction(listViewRows(steps(8, 300, 3).entries), shape({ protectLast, tail: 10 }));
    assert.notEqual(plan?.tail[0]?.message.role, 'tool');
    assert.notEqual(plan?.middle[0]?.message.role, 'tool');
  }
});

test('the tail reaches back to the latest request where that is near, and else to the latest words', () => {
  const near = steps(8, 400);
  const request = near.user('now this');
  near.step(step(100));
  near.step(step(900));
  assert.equal(planned(near, { protectLast: 1 })?.[3]?.[0 as never], request);
  const far = steps(8, 400);
  for (let index = 0; index < 5; index++) far.step(step(700));
  const steer = far.user('and mind this', 'steer');
  far.step(step(600));
  far.step(step(500));
  assert.equal(planned(far, { protectLast: 1 })?.[3]?.[0 as never], steer);
});

test('a head as large as a tail is not kept', () => {
  const log = newLog();
  log.user(bulk(4_000));
  log.said('fine');
  for (let index = 0; index < 8; index++) log.step(step(400));
  assert.deepEqual(planned(log)?.[0], []);
});

test('nothing between both ends is nothing to do', () => {
  assert.equal(planned(newLog()), undefined);
  assert.equal(planned(steps(2, 100)), undefined);
  assert.equal(planned(steps(3, 4_000), { protectLast: 20, room: 50_000 }), undefined);
});

test('an earlier summary is never head; the new span covers the earlier one whole', () => {
  const log = steps(10, 400);
  log.add({
    type: 'compaction',
    origin: 'summary',
    fromSeq: 1,
    toSeq: 9,
    summary: { role: 'user', content: [createTextBlock('earlier', 'tool')] },
  });
  const plan = planCompaction(listViewRows(log.entries), shape());
  assert.deepEqual([plan?.head.length, plan?.fromSeq, plan?.toSeq], [0, 1, 15]);
  assert.equal(plan?.middle[0]?.summary?.toSeq, 9);
});
