import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { forAll } from '../../src/testing/seeded-random.ts';
import { tempFolder } from '../agent/setup.ts';
import { DEFECTS } from './defects.ts';
import { firstBreach, proveSession } from './prove.ts';
import { sum, type Counts } from './tally.ts';
import { sized } from '../size.ts';

/** A small share of what `node scripts/prove-prefix.ts` does; the seeds are the same. */
const SESSIONS = sized(70, 200);

test('each request repeats the bytes of the one before it in all three wire formats, and replay gives them again', async (context) => {
  const root = tempFolder();
  const all: Counts[] = [];
  await forAll(SESSIONS, async ({ seed }) => {
    const { breaches, counts } = await proveSession(seed, join(root, seed));
    assert.deepEqual(breaches, []);
    all.push(counts);
  });
  const total = sum(all);
  context.diagnostic(`${total['requests']} requests, ${total['pairs of neighbours']} pairs, ${total['restarts']} restarts`);
  if (all.length < SESSIONS) return;
  assert.deepEqual(
    Object.keys(total).filter((name) => total[name] === 0),
    [],
    'all that could disturb a prefix occurred',
  );
});

for (const [name, defect] of Object.entries(DEFECTS))
  test(`the rule can be broken: ${name}`, async () => {
    assert.match((await firstBreach(defect, tempFolder())) ?? 'nothing was seen', defect.shows);
  });
