import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killConsents } from './kill-consent.ts';
import { killTurns } from './kill.ts';
import { noPty } from './on-terminal.ts';
import { sized } from '../size.ts';

/** A small share of what `npm run prove` does; the full count and its result are in docs/proofs. */
const KILLS = Number(process.env['HERMES_KILLS'] ?? sized(4, 12));
const CONSENT_KILLS = Number(process.env['HERMES_CONSENT_KILLS'] ?? sized(3, 9));

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

test(
  'turns killed around a question ask again or take a late answer, and every call runs at most once and only with consent',
  { skip: noPty },
  async (context) => {
    const results = await killConsents(CONSENT_KILLS, ['chat_completions', 'anthropic_messages', 'responses']);
    const bad = results.filter(
      ({ firedTwice, wronglyRun, outcomes, unpaired, problem }) =>
        firedTwice + wronglyRun + Math.abs(outcomes) + unpaired > 0 || problem !== undefined,
    );
    const waited = results.flatMap(({ waiting }) => waiting ?? []);
    context.diagnostic(`${results.filter(({ hit }) => hit).length} of ${results.length} were killed; left waiting: ${waited.join(', ')}`);
    assert.deepEqual(bad, []);
  },
);
