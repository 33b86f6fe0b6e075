import { test } from 'node:test';
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
