import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runSyncOrdeal } from './ordeal.ts';

test('a process that is killed at any moment loses no turn: each is told, in order, and its end behind it', async () => {
  const { faults, finished, ended, kills } = await runSyncOrdeal(5, 'memory/ci');
  assert.deepEqual([faults, kills], [[], 5]);
  assert.ok(finished > 0 && ended > 0);
});
