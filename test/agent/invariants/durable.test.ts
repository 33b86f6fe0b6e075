import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextLap } from 'node:timers/promises';
import { merge } from '../../../src/base/merge.ts';
import { forAll } from '../../../src/testing/seeded-random.ts';
import { HABITS, lineFor } from './lines.ts';
import { randomStory } from './story.ts';
import { openStage } from './stage.ts';
import { tell } from './world.ts';
import { sized } from '../../size.ts';

/** A model that works much and talks little. */
const BUSY = { ...HABITS, calls: 90, fails: 6 };

test('no tool starts before its call is durable, one with side effects not before it is durable as running, and never twice across restarts', async () => {
  const stage = await openStage();
  let all = 0;
  await forAll(sized(80, 200), async (chance) => {
    const starts = new Map<string, number>();
    const story = randomStory(chance, { rates: { kill: 24 }, line: (index) => lineFor(chance, index, BUSY) });
    await tell(story, stage, {
      toolStarted: ({ callId, turnId }, replay, _entries, turn) => {
        assert.equal(turn?.turnId, turnId);
        const cell = turn?.phase === 'act' ? turn.calls.find(({ call }) => call.id === callId) : undefined;
        // What may simply run again need not say that it has begun.
        assert.ok(cell !== undefined && cell.status !== 'finished', `call ${callId} is durable when it starts`);
        if (replay === 'safe') return;
        assert.equal(cell.status, 'running', `call ${callId} is durable as running when it starts`);
        starts.set(callId, (starts.get(callId) ?? 0) + 1);
      },
    });
    assert.deepEqual(
      [...starts].filter(([, count]) => count > 1),
      [],
    );
    all += starts.size;
  });
  assert.ok(all > 0, 'some tools with side effects ran');
});

test('nobody is asked before the question is durable, a restart asks again under the same id, and a call is asked only while it has not run', async () => {
  const stage = await openStage();
  const seen = { asked: 0, again: 0, ranAfterwards: 0 };
  await forAll(sized(80, 200), async (chance) => {
    const questions = new Map<string, string>();
    const started = new Set<string>();
    const story = randomStory(chance, { rates: { kill: 24 }, line: (index) => lineFor(chance, index, BUSY) });
    await tell(story, stage, {
      asked: ({ callId = '', questionId, turnId }, _entries, turn) => {
        assert.equal(turn?.turnId, turnId);
        const cell = turn?.phase === 'act' ? turn.calls.find(({ call }) => call.id === callId) : undefined;
        assert.ok(cell?.status === 'asking' && cell.question.id === questionId, `the question of ${callId} is durable when it is asked`);
        const before = questions.get(callId);
        if (before !== undefined) assert.equal(questionId, before, 'a restart asks under the same id');
        questions.set(callId, cell.question.id);
        assert.ok(!started.has(callId), `${callId} has not run when it is asked about`);
        seen[before === undefined ? 'asked' : 'again']++;
      },
      toolStarted: ({ callId }, replay) => {
        // What may simply run again may also be asked about again.
        if (replay === 'never') started.add(callId);
        if (replay === 'never' && questions.has(callId)) seen.ranAfterwards++;
      },
    });
  });
  assert.ok(
    Object.values(seen).every((count) => count > 5),
    JSON.stringify(seen),
  );
});

test('a result that cannot be saved while the consumer holds an event ends the turn, not the process', async () => {
  async function* tells(): AsyncGenerator<string, void> {
    yield 'first';
    await nextLap();
    throw new Error('The disk is full.');
  }
  const merged = merge([tells()]);
  assert.equal((await merged.next()).value, 'first');
  await nextLap();
  await nextLap();
  await assert.rejects(merged.next(), /The disk is full/);
});
