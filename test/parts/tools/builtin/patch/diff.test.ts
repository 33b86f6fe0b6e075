import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diff } from '../../../../../src/parts/tools/builtin/patch/diff.ts';
import { renderUnifiedDiff } from '../../../../../src/parts/tools/builtin/patch/unified.ts';

/** Small generator with a fixed seed, so that a failure can be repeated. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

test('the steps always lead from the old list to the new', () => {
  const next = numbers(7);
  const list = () => Array.from({ length: Math.floor(next() * 12) }, () => 'abc'[Math.floor(next() * 3)] ?? 'a');
  for (let round = 0; round < 2_000; round++) {
    const [before, after] = [list(), list()];
    const ops = diff(before, after);
    assert.deepEqual(
      ops.flatMap((op) => (op.kind === 'drop' ? [] : [after[op.new]])),
      after,
    );
    assert.deepEqual(
      ops.flatMap((op) => (op.kind === 'add' ? [] : [before[op.old]])),
      before,
    );
    assert.ok(ops.every((op) => op.kind !== 'same' || before[op.old] === after[op.new]));
  }
});

test('a diff shows changes with three lines around them', () => {
  const before = Array.from({ length: 20 }, (_, index) => `l${index + 1}`).join('\n');
  const after = before.replace('l5\n', 'five\n').replace('l18', 'eighteen');
  assert.equal(
    renderUnifiedDiff({ old: 'f', new: 'f' }, `${before}\n`, `${after}\n`),
    [
      '--- a/f',
      '+++ b/f',
      '@@ -2,7 +2,7 @@',
      ' l2',
      ' l3',
      ' l4',
      '-l5',
      '+five',
      ' l6',
      ' l7',
      ' l8',
      '@@ -15,6 +15,6 @@',
      ' l15',
      ' l16',
      ' l17',
      '-l18',
      '+eighteen',
      ' l19',
      ' l20',
    ].join('\n'),
  );
  assert.equal(renderUnifiedDiff({ old: 'f', new: 'f' }, undefined, 'a\nb\n'), '--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b');
  assert.equal(renderUnifiedDiff({ old: 'f', new: 'f' }, 'a\n', undefined), '--- a/f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a');
});

test('a diff of a thousand changed lines is cut and takes no time', () => {
  const before = Array.from({ length: 20_000 }, (_, index) => `old ${index}`).join('\n');
  const startedAt = performance.now();
  const told = renderUnifiedDiff({ old: 'f', new: 'f' }, before, before.replaceAll('old', 'new'));
  assert.ok(told.length < 13_000);
  assert.match(told, /diff cut, \d+ characters in all/);
  assert.ok(performance.now() - startedAt < 2_000);
});
