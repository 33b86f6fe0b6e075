import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CompressResult, CompressRequest, ContextEngine } from '../../src/contracts/context-engine.ts';
import type { CompactionReport } from '../../src/contracts/entry.ts';
import { createTextBlock } from '../../src/contracts/message.ts';
import { sceneWith, talk, type Scene } from './compaction-scene.ts';

const report = (outcome: CompactionReport['outcome'], { reason }: CompressRequest): CompactionReport => ({
  engine: 'theirs',
  reason,
  outcome,
  tokensBefore: 9,
  tokensAfter: 1,
  messagesBefore: 2,
  messagesAfter: 1,
  ms: 0,
});
/** An engine of somebody else's, which knows no rests. */
const saying =
  (compress: (ask: CompressRequest) => CompressResult) =>
  (engine: ContextEngine): ContextEngine => {
    const { resting: _, ...rest } = engine;
    return { ...rest, name: 'theirs', compress: async (ask) => compress(ask) };
  };
const answeredIn = async ({ store, session }: Scene): Promise<number> =>
  (await store.entries(session.id)).filter((entry) => entry.type === 'outcome' && entry.exitReason === 'answered').length;

test('a compaction that would make the request larger is not committed, whatever its engine reports', async () => {
  const scene = await sceneWith({
    engine: saying((ask) => {
      const [first = 0] = ask.entries.flatMap(({ type, seq }) => (type === 'message' ? [seq] : []));
      const summary = { role: 'user', content: [createTextBlock('more and more '.repeat(2_000), 'tool')] } as const;
      return { ok: true, fromSeq: first, toSeq: first, summary, report: report('digest', ask) };
    }),
  });
  const told = (await talk(scene, 6)).flatMap((event) => (event.type === 'compacted' ? [event.report] : []));
  const entries = await scene.store.entries(scene.session.id);
  assert.equal(entries.filter(({ type }) => type === 'compaction').length, 0);
  assert.ok(told.length > 0);
  for (const { outcome, kind, why, tokensBefore, tokensAfter } of told) {
    assert.deepEqual([outcome, kind], ['refused', 'too_large']);
    assert.ok(tokensAfter >= tokensBefore && (why ?? '').includes('the context engine theirs would make'));
  }
  assert.equal(await answeredIn(scene), 6);
});

test('an engine without rests that says no is not asked again in the same turn', async () => {
  let asked = 0;
  const scene = await sceneWith({
    engine: saying((ask) => {
      asked++;
      return { ok: false, why: 'not today', report: report('refused', ask) };
    }),
  });
  let turns = 0;
  for (let turn = 0; turn < 6; turn++) {
    const before = asked;
    await talk(scene, 1);
    assert.ok(asked - before <= 1, `${asked - before} times in one turn`);
    turns += asked - before;
  }
  assert.ok(turns > 1, 'it is asked in the next one');
});

test('while it rests it is not even asked', async () => {
  let asked = 0;
  const scene = await sceneWith({
    writer: () => ({ text: 'Sorry.' }),
    engine: (engine) => ({
      ...engine,
      // The store writes down real times.
      resting: (entries) => engine.resting?.(entries, Date.now()),
      compress: (ask) => (asked++, engine.compress(ask)),
    }),
  });
  const told = (await talk(scene, 8)).filter(({ type }) => type === 'compacting' || type === 'notice');
  assert.deepEqual([asked, told.length], [1, 1]);
});

test('before one request there are three passes at most, however much is still to do', async () => {
  const scene = await sceneWith({
    engine: (engine) => ({
      ...saying((ask) => {
        const rows = ask.entries.flatMap(({ type, seq }) => (type === 'message' ? [seq] : []));
        const passes = ask.entries.filter(({ type }) => type === 'compaction').length;
        const summary = { role: 'user', content: [createTextBlock('left out '.repeat(50 - passes), 'tool')] } as const;
        return { ok: true, fromSeq: rows[0] ?? 0, toSeq: rows[0] ?? 0, summary, report: report('digest', ask) };
      })(engine),
      shouldCompress: () => true,
    }),
  });
  for (const turn of [1, 2]) {
    await talk(scene, 1);
    const entries = await scene.store.entries(scene.session.id);
    assert.equal(entries.filter(({ type }) => type === 'compaction').length, 3 * turn);
  }
  assert.equal(await answeredIn(scene), 2);
});

test('an engine that gives no result at all leaves the view as it is, and turns go on', async () => {
  const nothing: unknown = undefined;
  const scene = await sceneWith({ engine: saying(() => nothing as CompressResult) });
  const notices = (await talk(scene, 6)).flatMap((event) => (event.type === 'notice' ? [event.text] : []));
  assert.match(notices.join('\n'), /the context engine theirs broke off/);
  assert.equal(await answeredIn(scene), 6);
});
