import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR } from '../../scripts/proofs/hour/steps.ts';
import { runHour, type Situation, type TierName } from '../../scripts/proofs/hour/run.ts';
import { floor, noBubblewrap } from '../parts/terminals/sandbox-stage.ts';

const noFloor = 'why' in floor ? floor.why : false;

/** A part of `npm run prove -- hour`, which runs every tier in every situation. */
const RUNS: readonly (readonly [tier: TierName, situation: Situation, skip: string | false])[] = [
  ['bubblewrap', 'one turn', noBubblewrap ?? false],
  ['bubblewrap', 'cron', noBubblewrap ?? false],
  ['floor', 'attended', noFloor],
  ['floor', 'one turn', noFloor],
  ['floor', 'cron', noFloor],
  ['trust', 'cron', false],
  ['none', 'one turn', false],
];
for (const [tier, situation, skip] of RUNS)
  test(`${HOUR.length} steps of work, ${situation}, ${tier}`, { skip }, async () => {
    const { holds, done, reached, missing } = await runHour(tier, situation);
    assert.ok(holds, `${done} done, ${reached} reached\n${missing.join('\n')}`);
  });
