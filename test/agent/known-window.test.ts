import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent } from '../../src/agent/agent.ts';
import type { AgentEvent } from '../../src/contracts/event.ts';
import type { ModelLimits, Runtime } from '../../src/contracts/runtime.ts';
import { NOTES, sceneWith, SMALL, long, type Options, type Scene } from './compaction-scene.ts';
import { collect, says } from './setup.ts';

const REPORTED: ModelLimits = { window: 8_000, reported: true };
const DEAD = { fails: { type: 'overloaded', detail: 'nobody there' } } as const;

/** So many long turns on a route with these limits. */
async function talkOn(scene: Scene, limits: ModelLimits, turns: number): Promise<readonly AgentEvent[]> {
  const agent = createAgent(scene.store, scene.deps, { ...SMALL, limits });
  const events: AgentEvent[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const played = await collect(agent.send(scene.session, says(long(`message ${turn}`)), new AbortController().signal));
    assert.equal(played.outcome?.type, 'answered');
    events.push(...played.events);
  }
  return events;
}

const outcomesOf = (events: readonly AgentEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'compacted' ? [event.report.outcome] : []));
const sizesOf = async (scene: Scene): Promise<number[]> =>
  (await scene.calls()).filter(({ purpose }) => purpose === undefined).map(({ estimate }) => estimate);

test('a known window is not exceeded silently: without a summary a digest comes before the call', async () => {
  const scene = await sceneWith({ writer: () => DEAD });
  const events = await talkOn(scene, REPORTED, 16);
  assert.ok(outcomesOf(events).includes('digest'), outcomesOf(events).join());
  assert.ok(Math.max(...(await sizesOf(scene))) < REPORTED.window);
});

test('a window nobody has vouched for is not worth a digest', async () => {
  const scene = await sceneWith({ writer: () => DEAD });
  const events = await talkOn(scene, { window: 8_000 }, 16);
  assert.ok(!outcomesOf(events).includes('digest'));
  assert.ok(Math.max(...(await sizesOf(scene))) > 8_000);
});

test('notes that fail are not bought again and again: the rest grows', async () => {
  const scene = await sceneWith({ writer: () => DEAD });
  await talkOn(scene, REPORTED, 24);
  // The clock of the store stands still for all this: a first try and what the window forced later.
  assert.equal(scene.writer.requests.length, 1);
});

test('five steps do not take five compactions: a compaction aims clearly below what makes it due', async () => {
  const scene = await sceneWith({ compression: { 'compression.protect_last_n': 4, 'compression.target_ratio': 0.8 } });
  const agent = createAgent(scene.store, scene.deps, { ...SMALL, limits: { window: 24_000 } });
  const after: number[] = [];
  const turns: number[] = [];
  for (let turn = 0; turn < 30; turn++) {
    const { events } = await collect(agent.send(scene.session, says(long(`message ${turn}`)), new AbortController().signal));
    const reports = events.flatMap((event) => (event.type === 'compacted' ? [event.report] : []));
    after.push(...reports.map(({ tokensAfter }) => tokensAfter));
    turns.push(...reports.map(() => turn));
  }
  // A compaction is due at 12,000, and a turn adds about 1,000.
  assert.ok(after.length > 1 && after.every((tokens) => tokens <= 0.75 * 12_000), after.join());
  assert.ok(
    turns.every((turn, index) => index === 0 || turn - (turns[index - 1] ?? 0) >= 3),
    turns.join(),
  );
});

test('output_cap with little room makes the prompt smaller instead of asking for a stub of an answer', async () => {
  const options: Options = {
    model: (index) =>
      index === 6 ? { fails: { type: 'output_cap', detail: 'too much', available: 75, limit: 6_000 } } : { text: `answer ${index}` },
  };
  const scene = await sceneWith({ ...options, window: 200_000 });
  const events = await talkOn(scene, { window: 200_000 }, 7);
  const [refused, second] = scene.provider.requests.slice(6);
  assert.deepEqual(outcomesOf(events), ['summary']);
  assert.equal(second?.adjust.maxOutput, undefined);
  assert.ok((second?.messages.length ?? 99) < (refused?.messages.length ?? 0));
});

test('output_cap with enough room asks for a little less than that, and without a figure for half', async () => {
  for (const [available, asked] of [
    [5_000, 4_936],
    [100, 50],
    [undefined, 1_984],
  ] as const) {
    const scene = await sceneWith({
      window: 200_000,
      model: (index) =>
        index === 0 ? { fails: { type: 'output_cap', detail: 'too much', ...(available !== undefined && { available }) } } : { text: 'ok' },
    });
    await talkOn(scene, { window: 200_000 }, 1);
    assert.equal(scene.provider.requests[1]?.adjust.maxOutput, asked);
  }
});

test('the summariser goes with the turn: after a rotation it has the key of today', async () => {
  const next: Runtime = { ...SMALL, credential: 'KEY#2', limits: { window: 200_000 } };
  const scene = await sceneWith({
    window: 200_000,
    model: (index) =>
      index === 6
        ? { fails: { type: 'billing', detail: 'no credit' } }
        : index === 7
          ? { fails: { type: 'context_overflow', detail: 'too long', limit: 6_000 } }
          : { text: `answer ${index}` },
    writer: () => ({ text: NOTES }),
    routes: { rotate: async () => next },
  });
  await talkOn(scene, { window: 200_000 }, 7);
  assert.deepEqual(
    scene.writer.requests.map(({ runtime }) => runtime.credential),
    ['KEY#2'],
  );
});
