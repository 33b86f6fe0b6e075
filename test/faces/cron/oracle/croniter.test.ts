import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { sized } from '../../../size.ts';
import { compareWithCroniter, PYTHON, ZONES } from './compare.ts';

function whyNot(): string | false {
  try {
    execFileSync(PYTHON, ['-c', 'import croniter'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'no Python with the package croniter; scripts/system-deps installs it';
  }
}

test('instants are those of croniter, but for the differences that are wanted', { skip: whyNot() }, async (context) => {
  const { faults, cases, moments, differences } = await compareWithCroniter(
    sized(36, 500),
    sized(['Europe/Paris', 'Australia/Lord_Howe'], ZONES),
  );
  context.diagnostic(JSON.stringify({ cases, moments, differences }));
  assert.deepEqual(faults.slice(0, 20), []);
});
