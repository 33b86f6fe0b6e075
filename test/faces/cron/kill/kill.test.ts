import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sized } from '../../../size.ts';
import { runOrdeal } from './harness.ts';

test('three processes and another home are killed, stopped and told other times: every instant is run once or noted as left out', async (context) => {
  const { faults, ...counts } = await runOrdeal({
    seed: process.env['HERMES_SEED'] ?? 'cron/1',
    processes: 3,
    kills: sized(2, 40),
    stops: sized(1, 5),
    jumps: sized(1, 8),
    pauseMs: 500,
  });
  context.diagnostic(JSON.stringify(counts));
  assert.deepEqual(faults, []);
});
