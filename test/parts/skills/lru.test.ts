import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLru } from '../../../src/parts/skills/catalog/lru.ts';

test('the entry unused for longest goes first; reading and writing count as use', () => {
  const kept = createLru<number>(3);
  for (const [key, value] of Object.entries({ a: 1, b: 2, c: 3 })) kept.set(key, value);
  assert.equal(kept.get('a'), 1);
  kept.set('b', 20);
  kept.set('d', 4);
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((key) => kept.get(key)),
    [1, 20, undefined, 4],
  );
});
