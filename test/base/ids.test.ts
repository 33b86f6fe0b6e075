import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTimeId } from '../../src/base/ids.ts';

test('ids that are made within one millisecond sort in the order they were made, and before those of the next', () => {
  const now = 1_790_000_000_000;
  const made = [...Array.from({ length: 2_000 }, () => createTimeId('c', now)), createTimeId('c', now + 1), createTimeId('c', now + 2)];
  assert.deepEqual(made.toSorted(), made);
  assert.equal(new Set(made).size, made.length);
  assert.match(made[0] ?? '', /^c_[0-9a-f]{16}$/);
});

test('a clock that was set back makes an id of its own', () => {
  const [later, earlier] = [createTimeId('c', 2_000), createTimeId('c', 1_000)];
  assert.ok(earlier < later);
});
