import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killTurns } from './kill.ts';

/** A small share of what `npm run prove` does; the full count and its result are in docs/proofs. */
const KILLS = Number(process.env['HERMES_KILLS'] ?? 12);

test('turns killed at random moments lose no entry, fire no effect twice and end with an outcome', async (context) => {
  const results = await killTurns(KILLS, ['chat_completions', 'anthropic_messages', 'responses']);
  const bad = results.filter(
    ({ lostEntries, firedTwice, outcomes, unpaired, problem }) =>
      lostEntries + firedTwice + Math.abs(outcomes) + unpaired > 0 || problem !== undefined,
  );
  context.diagnostic(
    `${results.filter((result) => result.hit).length} of ${results.length} were killed while running; last words: ${[...new Set(results.map((result) => result.during))].join(', ')}`,
  );
  assert.deepEqual(bad, []);
});
