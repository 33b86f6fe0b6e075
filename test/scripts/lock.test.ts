import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { withoutDemands } from '../../scripts/lock.ts';

test('npm ci asks nothing of the Node that runs npm, and runs no script of a package', () => {
  const lock = readFileSync('package-lock.json', 'utf8');
  assert.equal(lock, withoutDemands(lock), 'run: node scripts/lock.ts');
});
