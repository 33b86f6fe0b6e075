import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noSandbox } from '../scene.ts';
import { runIsolation } from './isolation.ts';
import { runResumeOrdeal } from './resume.ts';

test('an evaluation that is killed goes on with what is missing, and pays for nothing twice', { skip: noSandbox }, async () => {
  const { faults } = await runResumeOrdeal({
    kind: 'env',
    rollouts: 6,
    workers: 2,
    kills: [{ at: 'line', n: 2, tears: 0.5 }],
  });
  assert.deepEqual(faults, []);
});

test('so does a batch, with prompts that are there twice', { skip: noSandbox }, async () => {
  const { faults } = await runResumeOrdeal({ kind: 'batch', rollouts: 10, workers: 2, kills: [{ at: 'call', n: 7 }] });
  assert.deepEqual(faults, []);
});

test('rollouts that run at once do not see each other, and a killed one leaves nothing', { skip: noSandbox }, async () => {
  const { faults, together } = await runIsolation(3, true);
  assert.deepEqual([faults, together], [[], 3]);
});
