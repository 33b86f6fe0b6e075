import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareWithRecall } from './compare.ts';

test('with recall, hooks and provider tools the prefix rule holds, replay is identical, and search, export and summaries read as without', async () => {
  const { faults, sessions, requests } = await compareWithRecall(10, 'memory/ci');
  assert.deepEqual(faults, []);
  assert.ok(sessions === 10 && requests >= 10);
});
