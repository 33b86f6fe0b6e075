import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sized } from '../../../size.ts';
import { runDeaf } from './deaf.ts';
import { speedTimeUp } from './fast-time.ts';

const RUNS = sized(1, 10);
const FAULTS = sized(2, 4);

for (const platform of ['telegram', 'discord', 'slack'] as const)
  test(`whatever cuts or deafens the link to ${platform}, everything arrives once and in order, and one connection is left`, async (context) => {
    using _fast = speedTimeUp(25);
    const first = Number(process.env['HERMES_SEED'] ?? 1);
    const runs = await Promise.all(Array.from({ length: RUNS }, (_, index) => runDeaf(platform, `${platform}/${first + index}`, FAULTS)));
    context.diagnostic(runs.map(({ longestSeconds }) => `${longestSeconds.toFixed(1)} s`).join(', '));
    assert.deepEqual(
      runs.flatMap(({ wrong }) => wrong),
      [],
    );
  });
