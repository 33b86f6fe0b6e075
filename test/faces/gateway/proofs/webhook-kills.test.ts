import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sized } from '../../../size.ts';
import { runWebhookKills } from './webhook-kills.ts';

/** After the commit of the event; its sender has not heard of it then. */
const COMMITTED = 2;
const choose = sized(
  () => [COMMITTED],
  (moments: readonly string[]) => moments.map((_, index) => index + 1),
);

test('a gateway that is killed between a commit and its answer: the sender repeats, there is one turn and one result', async (context) => {
  const { moments, kills, faults } = await runWebhookKills(choose);
  context.diagnostic(`${moments.length} moments: ${moments.join(', ')}`);
  for (const kill of kills) context.diagnostic(JSON.stringify(kill));
  assert.deepEqual(faults, []);
  assert.equal(kills[sized(0, COMMITTED - 1)]?.heard, 200);
  assert.ok(
    kills.every(({ at }) => at !== ''),
    'every moment was reached',
  );
});
