import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { forAll } from '../../src/testing/seeded-random.ts';
import { tempFolder } from '../agent/setup.ts';
import { proveRestarts } from './real.ts';
import { sized } from '../size.ts';

/** Each is restarted once to three times; `node scripts/prove-prefix.ts` runs 200 of them. */
const SESSIONS = sized(3, 6);

test('with the real program each request repeats the bytes of the one before it, each turn a process of its own', async (context) => {
  const root = tempFolder();
  let restarts = 0;
  // One after the other within the patience of a case: a session takes about two seconds.
  await forAll(SESSIONS, async ({ seed }) => {
    const { breaches, counts } = await proveRestarts(seed, join(root, seed));
    assert.deepEqual(breaches, []);
    assert.ok((counts['restarts'] ?? 0) > 0, 'the process was restarted');
    restarts += counts['restarts'] ?? 0;
  });
  context.diagnostic(`${restarts} restarts of the process`);
});
