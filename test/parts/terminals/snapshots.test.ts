import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSnapshots } from '../../../src/parts/terminals/shell/snapshots.ts';

test('of a place elsewhere the commands are told that left something, and no others', () => {
  const kept = openSnapshots('/room', []);
  assert.deepEqual(kept.carried(), []);
  kept.begin().finish(true);
  kept.begin('A=1').finish(true);
  kept.begin('B=2').finish(false);
  const outer = kept.begin('C=3');
  kept.begin('D=4').finish(true);
  outer.finish(true);
  assert.deepEqual(kept.carried(), [{ type: 'told', script: 'A=1\nC=3', file: '/room/a', whole: true }]);
});

test('too many of them are cut at the beginning, and that is told', () => {
  const kept = openSnapshots('/room', []);
  for (let at = 0; at < 10; at++) kept.begin(`A=${String(at).repeat(10_000)}`).finish(true);
  const [carried] = kept.carried();
  assert.ok(carried?.type === 'told' && !carried.whole && carried.script.length <= 65_536 && carried.script.endsWith('9'));
});

test('without a folder to leave something in, nothing is carried over', () => {
  const kept = openSnapshots(undefined, []);
  kept.begin('A=1').finish(true);
  assert.deepEqual(kept.carried(), []);
});

test('a file that cannot be read leaves what was told', () => {
  const kept = openSnapshots('/room', [], '/nowhere/at/all');
  kept.begin('A=1').finish(true);
  assert.deepEqual(kept.carried(), [{ type: 'told', script: 'A=1', file: '/room/a', whole: true }]);
});
