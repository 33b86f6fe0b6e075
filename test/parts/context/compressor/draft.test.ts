import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draftNotes, packSlices, type DraftOptions } from '../../../../src/parts/context/compressor/draft.ts';
import { estimateTextTokens } from '../../../../src/parts/context/view/tokens.ts';
import { bulk, fails, gives, notes, summariser } from './log.ts';

const sources = (given: Partial<DraftOptions> = {}): DraftOptions => ({
  pieces: Array.from({ length: 20 }, (_, index) => `[${index + 1}] USER: piece-${index + 1}. ${bulk(1_000)}`),
  earlier: '',
  budget: 2_000,
  calibration: 1,
  signal: new AbortController().signal,
  ...given,
});

test('a window that holds everything is asked once', async () => {
  const model = summariser(() => gives(notes()));
  assert.equal((await draftNotes(model, sources())).ok, true);
  assert.equal(model.asked.length, 1);
});

for (const window of [8_000, 12_000, 16_000, 24_000]) {
  test(`a window of ${window} reads in slices, none larger than it holds, and merges them`, async () => {
    const model = summariser(
      ({ text }, call) => gives(text.includes('notes on its slices') ? notes('merged') : notes(`slice ${call}`)),
      window,
    );
    const draft = await draftNotes(model, sources({ earlier: notes('from before') }));
    assert.ok(draft.ok && draft.text.includes('merged'));
    const slices = model.asked.slice(0, -1);
    assert.ok(slices.length > 1);
    for (const { system, text, maxTokens } of model.asked)
      assert.ok(estimateTextTokens(system) + estimateTextTokens(text) + maxTokens <= window);
    for (let piece = 1; piece <= 20; piece++)
      assert.equal(slices.filter(({ text }) => text.includes(`piece-${piece}.`)).length, 1, `piece ${piece}`);
    const merge = model.asked.at(-1)?.text ?? '';
    assert.ok(merge.includes('from before') && merge.includes('slice 1') && merge.includes(`slice ${slices.length}`));
    assert.equal(draft.bill.usage?.input, 100 * model.asked.length);
    assert.ok(Math.abs((draft.bill.price ?? 0) - 0.01 * model.asked.length) < 1e-9);
  });
}

test('a calibration above one makes smaller slices', async () => {
  const plain = summariser(() => gives(notes()), 12_000);
  const dense = summariser(() => gives(notes()), 12_000);
  await draftNotes(plain, sources());
  await draftNotes(dense, sources({ calibration: 2 }));
  assert.ok(dense.asked.length > plain.asked.length);
});

test('a window that can hold nothing is hopeless, and nobody is asked', async () => {
  const model = summariser(() => gives(notes()), 2_500);
  const draft = await draftNotes(model, sources());
  assert.ok(!draft.ok && draft.kind === 'hopeless');
  assert.equal(model.asked.length, 0);
});

test('a slice that fails fails the whole, with what was paid until then', async () => {
  const model = summariser((_, call) => (call === 3 ? fails('gone') : gives(notes())), 8_000);
  const draft = await draftNotes(model, sources());
  assert.ok(!draft.ok && draft.kind === 'failed' && draft.why === 'gone');
  assert.deepEqual([model.asked.length, draft.bill.usage?.input, draft.bill.price], [3, 200, 0.02]);
});

test('pieces stay in order, whole where they fit', () => {
  assert.deepEqual(packSlices(['aaaa', 'bbbb', 'cccc'], 6), ['aaaa\n\nbbbb', 'cccc']);
  assert.deepEqual(packSlices([], 10), []);
  const [only = '', ...more] = packSlices([bulk(5_000)], 1_000);
  assert.ok(more.length === 0 && estimateTextTokens(only) <= 1_000);
});
