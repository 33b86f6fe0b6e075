import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createQuietNudge } from '../../src/agent/quiet-nudge.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { AgentEvent, Outcome } from '../../src/contracts/event.ts';

/** Time passes when the test says so. */
function handClock() {
  const waiting = new Set<() => void>();
  const clock: Clock = {
    now: () => 0,
    sleep: (_ms, signal) =>
      new Promise((resolve) => {
        waiting.add(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      }),
  };
  return { clock, pass: () => waiting.forEach((resolve) => resolve()) };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

async function* turn(type: Outcome['type']): AsyncGenerator<AgentEvent, Outcome> {
  yield { type: 'notice', text: 'working' };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only its type is looked at
  return { type } as Outcome;
}
const read = (events: AsyncGenerator<AgentEvent, Outcome>) => Array.fromAsync(events);

test('the model is asked once nobody has written for a moment after an answer, and never without an interval', async () => {
  for (const [interval, type, expected] of [
    [10, 'answered', 1],
    [10, 'failed', 0],
    [0, 'answered', 0],
  ] as const) {
    const { clock, pass } = handClock();
    let asked = 0;
    await using quiet = createQuietNudge({ clock, interval, nudge: async () => void asked++ });
    assert.deepEqual(await read(quiet.follow(turn(type))), [{ type: 'notice', text: 'working' }]);
    await settle();
    assert.equal(asked, 0, 'not before the moment is over');
    pass();
    await settle();
    assert.equal(asked, expected);
  }
});

test('whoever writes on, or leaves, ends the quiet; a question that runs is told to stop and waited for', async () => {
  const { clock, pass } = handClock();
  const told: string[] = [];
  const quiet = createQuietNudge({
    clock,
    interval: 1,
    nudge: async (signal) => {
      told.push('asked');
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      told.push(String(signal.reason));
    },
  });
  await read(quiet.follow(turn('answered')));
  await quiet.stop();
  pass();
  await settle();
  assert.deepEqual(told, [], 'it was ended before the moment was over');
  await read(quiet.follow(turn('answered')));
  pass();
  await settle();
  await quiet[Symbol.asyncDispose]();
  assert.deepEqual(told, ['asked', 'message']);
});
