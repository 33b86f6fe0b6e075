import assert from 'node:assert/strict';
import { test } from 'node:test';

const skip = process.env['HERMES_FLOOR_KERNELS'] === undefined ? 'in full: npm run prove -- floor' : false;
if (skip !== false) console.log(`the floor on other kernels: skipped, ${skip}`);

test('the floor holds on older kernels and on arm64, and loses what doctor says', { skip }, async () => {
  const { proveFloor } = await import('../../../scripts/proofs/prove-floor.ts');
  assert.ok(proveFloor());
});
