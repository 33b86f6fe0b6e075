import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent } from '../../src/agent/agent.ts';
import { windowEngine } from '../../src/parts/context/window.ts';
import { long, sceneWith, SMALL, talk, type Options, type Scene } from './compaction-scene.ts';
import { says, testTool } from './setup.ts';

const OPEN = new AbortController().signal;
const tidy = (scene: Scene, signal = OPEN) => scene.run(scene.agent.tidy(scene.session, signal));
/** Never of its own accord inside a turn: what is stored grows as it does where nobody watches. */
const unwatched: Options['engine'] = (engine) => ({ ...engine, shouldCompress: () => false });

/** Tokens of the stored view, as the ledger sees them while nothing has calibrated it. */
async function storedSize({ deps, store, session }: Scene): Promise<number> {
  const entries = await store.entries(session.id);
  return deps.context.estimate({ system: 'You help.', tools: [], view: deps.context.view(entries) });
}

test('a session that takes 85 % of the window is made smaller before its next turn, and not a token earlier', async () => {
  const probe = await sceneWith({ engine: unwatched });
  await talk(probe, 6);
  const size = await storedSize(probe);
  const exactly = Math.floor(size / 0.85);
  for (const { window, expected } of [
    { window: exactly, expected: true },
    { window: exactly + 2, expected: false },
    { window: size, expected: true },
    { window: 2 * size, expected: false },
  ]) {
    const scene = await sceneWith({ engine: unwatched, window });
    await talk(scene, 6);
    assert.equal(await storedSize(scene), size);
    const { events, done } = await tidy(scene);
    assert.equal(done, expected, `${size} of ${window}`);
    const kinds = events.map((event) => (event.type === 'entry' ? event.entry.type : event.type));
    assert.deepEqual(kinds, expected ? ['compacting', 'compacted', 'compaction'] : []);
    assert.equal(scene.writer.requests.length, expected ? 1 : 0);
    if (!expected) continue;
    const [last] = (await scene.store.entries(scene.session.id)).slice(-1);
    assert.equal(last?.type === 'compaction' && last.report?.reason, 'hygiene');
    assert.deepEqual(
      (await scene.calls()).filter(({ purpose }) => purpose === 'compaction').map(({ turnId }) => turnId),
      [''],
    );
    assert.equal((await tidy(scene)).done, false, 'once is enough');
    assert.equal((await scene.say('and now?')).outcome?.type, 'answered');
  }
});

test('with fewer than four messages there is nothing to leave out, however long they are', async () => {
  const probe = await sceneWith({ engine: unwatched });
  await talk(probe, 1);
  const scene = await sceneWith({ engine: unwatched, window: Math.floor((await storedSize(probe)) / 0.99) });
  await talk(scene, 1);
  assert.deepEqual(await tidy(scene), { events: [], done: false });
});

test('it sees what providers counted, and the window they stated', async () => {
  const counting = (factor: number): Options => ({
    engine: unwatched,
    window: 20_000,
    model: (index) => ({ text: 'ok', usage: { input: Math.round((1_000 * (index + 1) + 10) * factor) } }),
  });
  for (const [factor, expected] of [
    [1, false],
    [2.9, true],
  ] as const) {
    const scene = await sceneWith(counting(factor));
    await talk(scene, 6);
    assert.equal((await tidy(scene)).done, expected, `counted as ${factor} of the estimate`);
  }
  const learnt = await sceneWith({
    engine: unwatched,
    window: 200_000,
    routes: { learnt: async () => ({ window: SMALL.limits.window - 2_000 }) },
  });
  await talk(learnt, 6);
  assert.equal((await tidy(learnt)).done, true);
});

test('it does nothing while a turn runs, nor waits for it', async () => {
  const inside: boolean[] = [];
  const script = [{ calls: [{ id: '1', name: 'look', input: {} }] }, { text: 'done' }];
  let scene: Scene | undefined;
  const look = testTool('look', async () => {
    if (scene !== undefined) inside.push((await tidy(scene)).done);
    return { content: [] };
  });
  scene = await sceneWith({ engine: unwatched, tools: [look], window: 100, model: (index) => script[index] ?? { text: 'more' } });
  const { outcome } = await scene.say(long('begin'));
  assert.deepEqual([inside, outcome?.type, scene.writer.requests.length], [[false], 'answered', 0]);
});

test('a turn that was cut off is finished first', async () => {
  const scene = await sceneWith({ engine: unwatched });
  await talk(scene, 6);
  for await (const event of scene.agent.send(scene.session, says('and on'), OPEN)) if (event.type === 'entry') break;
  assert.notEqual(await scene.store.turn(scene.session.id), undefined);
  assert.deepEqual(await tidy(scene), { events: [], done: false });
});

test('off means off, a stop is a stop, and an empty session has nothing to tidy', async () => {
  const off = await sceneWith({ engine: unwatched, compression: { 'compression.enabled': false } });
  await talk(off, 8);
  assert.deepEqual(await tidy(off), { events: [], done: false });
  const full = await sceneWith({ engine: unwatched });
  await talk(full, 8);
  assert.deepEqual(await tidy(full, AbortSignal.abort()), { events: [], done: false });
  assert.deepEqual(await tidy(await sceneWith({ window: 10 })), { events: [], done: false });
});

test('a budget must have room for it: nobody is there to be asked for more', async () => {
  for (const [settings, price, expected] of [
    [{ 'agent.budget_tokens': 1_000 }, undefined, false],
    [{ 'agent.budget_tokens': 1_000_000 }, undefined, true],
    [{ 'agent.budget_usd': 1 }, 2, false],
    [{ 'agent.budget_usd': 1 }, undefined, false],
    [{ 'agent.budget_usd': 1 }, 0.01, true],
  ] as const) {
    const scene = await sceneWith({ engine: unwatched, price: () => price });
    await talk(scene, 8);
    const frugal = { ...scene.deps, settings: { ...scene.deps.settings, ...settings }, price: () => price };
    const { done } = await scene.run(createAgent(scene.store, frugal, SMALL).tidy(scene.session, OPEN));
    assert.deepEqual([done, scene.writer.requests.length], [expected, expected ? 1 : 0], JSON.stringify([settings, price]));
  }
});

test('an engine that only acts on a refusal leaves a full session alone', async () => {
  const scene = await sceneWith({ engine: () => windowEngine });
  await talk(scene, 8);
  assert.deepEqual(await tidy(scene), { events: [], done: false });
  assert.equal((await scene.run(scene.agent.compact(scene.session, OPEN))).done, true, 'its user may still ask for it');
});

test('a refusal is noted with its report and rests', async () => {
  const scene = await sceneWith({ engine: unwatched, writer: () => ({ text: 'Sorry.' }) });
  await talk(scene, 8);
  const first = await tidy(scene);
  assert.equal(first.done, false);
  const note = (await scene.store.entries(scene.session.id)).at(-1);
  assert.deepEqual(note?.type === 'note' && [note.compaction?.reason, note.compaction?.outcome], ['hygiene', 'refused']);
  assert.deepEqual(await tidy(scene), { events: [], done: false });
  assert.equal(scene.writer.requests.length, 1);
});
