import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentEvent } from '../../../src/contracts/event.ts';
import { forAll } from '../../../src/testing/seeded-random.ts';
import { openStage } from '../../agent/invariants/stage.ts';
import { compareBlocks, compareLines, playSession, WIDTHS } from './sessions.ts';

/** In full size: `npm run prove -- transcript`. */
test('a session looks the same live and rebuilt from its log: the same blocks, and the same lines byte for byte at three widths', async () => {
  const stage = await openStage();
  await forAll(25, async (chance) => {
    const session = await playSession(chance, stage);
    compareBlocks(session, chance);
    for (const columns of WIDTHS) compareLines(session, columns, chance);
  });
});

test('a face that misses one of the entries it should show is found out', async () => {
  const stage = await openStage();
  await forAll(5, async (chance) => {
    const session = await playSession(chance, stage);
    const isShown = (event: AgentEvent): boolean => event.type === 'entry' && event.entry.type === 'message';
    const life = session.lives.findIndex(({ events }) => events.some(isShown));
    const [opening] = session.entries;
    assert.equal(opening?.type, 'epoch');
    const silent: AgentEvent = { type: 'entry', entry: opening };
    const lives = session.lives.map((each, index) => {
      if (index !== life) return each;
      const missed = each.events.find(isShown);
      // An entry that shows nothing comes instead, so that no kill explains what is missing.
      return { ...each, events: each.events.map((event) => (event === missed ? silent : event)) };
    });
    if (life >= 0) assert.throws(() => compareBlocks({ ...session, lives }, { ...chance, int: () => -1 }));
  });
});
