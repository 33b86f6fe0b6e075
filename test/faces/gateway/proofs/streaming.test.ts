import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sized } from '../../../size.ts';
import { STAGES } from '../stages/index.ts';
import { runStreaming } from './streaming.ts';

/** Of each platform; in full, two thousand together. */
const TEXTS = sized({ telegram: 24, discord: 10, slack: 10 }, { telegram: 1_000, discord: 500, slack: 500 });

for (const platform of Object.keys(STAGES) as (keyof typeof STAGES)[])
  test(`an answer that was shown while it was written reads like one that was not, on ${platform}`, async (context) => {
    const { faults, ...counts } = await runStreaming(platform, process.env['HERMES_SEED'] ?? `${platform}/1`, TEXTS[platform]);
    context.diagnostic(JSON.stringify(counts));
    assert.ok(counts.edits > 0);
    assert.deepEqual(faults, []);
  });
