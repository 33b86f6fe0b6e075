import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry } from '../../../src/contracts/entry.ts';
import { forAll } from '../../../src/testing/seeded-random.ts';
import { randomStory } from './story.ts';
import { openStage } from './stage.ts';
import { tell } from './world.ts';
import { sized } from '../../size.ts';

test('an entry seen once is there unchanged at every later look', async () => {
  const stage = await openStage();
  await forAll(sized(60, 150), async (chance) => {
    let seen: readonly string[] = [];
    const look = (entries: readonly Entry[]) => {
      const now = entries.map((entry) => JSON.stringify(entry));
      assert.deepEqual(now.slice(0, seen.length), seen);
      seen = now;
    };
    const { events, entries } = await tell(randomStory(chance, { rates: { kill: 10 } }), stage, {
      sending: (_encoded, log) => look(log),
      committed: (_change, log) => look(log),
    });
    look(entries);
    assert.deepEqual(
      entries.map((entry) => entry.seq),
      entries.map((_, index) => index + 1),
      'positions have no gaps',
    );
    for (const event of events)
      if (event.type === 'entry') assert.equal(JSON.stringify(event.entry), seen[event.entry.seq - 1], 'what was told is what is kept');
  });
});
