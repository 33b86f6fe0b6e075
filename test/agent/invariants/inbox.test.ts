import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry } from '../../../src/contracts/entry.ts';
import { isMessage } from '../../../src/contracts/entry.ts';
import { forAll } from '../../../src/testing/chance.ts';
import { randomStory } from './story.ts';
import { openStage, tell } from './world.ts';

const FATES = ['steered', 'turn', 'interrupted', 'refused'] as const;

test('every posted text has exactly one fate in the end, stands in the log once, and the fates add up to the posts', async () => {
  const stage = await openStage();
  await forAll(250, async (chance) => {
    const { inbox, posted, entries } = await tell(randomStory(chance, { rates: { steer: 20, queue: 10, interrupt: 10, full: 2 } }), stage);
    const sum = FATES.reduce((total, fate) => total + inbox.filter((item) => item.fate === fate).length, 0);
    assert.equal(sum, posted);
    for (const item of inbox) {
      const found = entries.filter((entry) => says(entry, item.text));
      assert.deepEqual(found.map((entry) => entry.origin), [item.fate === 'steered' ? 'steer' : 'user'], `${item.text} (${item.fate})`);
    }
  });
});

const says = (entry: Entry, words: string): boolean =>
  isMessage(entry) && entry.message.role === 'user' && entry.message.content.some((block) => block.type === 'text' && block.text === words);
