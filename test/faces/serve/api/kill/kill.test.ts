import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sized } from '../../../../size.ts';
import { openApiKillStage } from './harness.ts';

test('a run whose server is killed at a commit goes on with the next one: one turn, one effect, and every event once', async () => {
  await using stage = openApiKillStage();
  const calm = await stage.round(0);
  assert.deepEqual([calm.wasKilled, calm.effects, calm.faults], [false, 1, []]);
  const { all, atStart } = stage.moments();
  const moments = Array.from({ length: all.length - atStart }, (_, index) => atStart + index + 1);
  // A few of them in the small size, spread over the run.
  const chosen = moments.filter((_, index) => sized(index % Math.ceil(moments.length) === Math.floor(moments.length / 2), true));
  const results = [];
  for (const at of chosen) results.push(await stage.round(at));
  assert.deepEqual(
    results.flatMap(({ at, moment, faults }) => faults.map((fault) => `${at} (${moment}): ${fault}`)),
    [],
  );
  assert.ok(results.filter(({ wasKilled }) => wasKilled).length >= chosen.length / 2, 'most of them were killed');
  console.log(`${moments.length} moments, ${results.filter(({ wasKilled }) => wasKilled).length} of ${chosen.length} rounds killed`);
});
