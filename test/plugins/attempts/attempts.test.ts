import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noSandbox, tiers } from '../../parts/terminals/sandbox-stage.ts';
import { hasControl, runControl } from './run-control.ts';
import { runAttempts, type TriedAttempt } from './run-attempts.ts';
import type { Attempt } from './row.ts';
import { ATTEMPTS, SUITE_ATTEMPTS } from './rows/all.ts';

const describe = ({ name, result: { answer, refusal, shown } }: TriedAttempt): string =>
  `${name}: ${JSON.stringify({ answer: answer.slice(0, 300), refusal: refusal.slice(0, 300), shown: shown.slice(-3) })}`;

test('every attempt has a name of its own', () => {
  assert.equal(new Set(ATTEMPTS.map(({ name }) => name)).size, ATTEMPTS.length);
});

if (tiers.length === 0) test('attempts of plugins', { skip: noSandbox ?? 'there is no sandbox here' }, () => {});
const cases = tiers.flatMap((tools) => [false, true].map((isDeclared) => ({ tools, isDeclared })));
for (const { tools, isDeclared } of cases)
  test(`attempts of plugins that declare ${isDeclared ? 'what they can' : 'nothing'}, behind ${tools.tier}`, async () => {
    const tried = await runAttempts(SUITE_ATTEMPTS, isDeclared, tools);
    assert.equal(tried.length, SUITE_ATTEMPTS.length);
    const isShown = ({ openBehindFloor }: Attempt): boolean => tools.tier === 'floor' && openBehindFloor !== undefined;
    const mayComeOff = new Set(
      SUITE_ATTEMPTS.filter((row) => isDeclared && (row.allowed === 'declared' || isShown(row))).map(({ name }) => name),
    );
    const wrong = tried.filter(({ name, cameOff }) => cameOff !== mayComeOff.has(name));
    assert.deepEqual(wrong.map(describe), []);
  });

test('without walls every one of them comes off', async () => {
  const tried = await runControl(SUITE_ATTEMPTS);
  assert.equal(tried.length, SUITE_ATTEMPTS.filter(hasControl).length);
  assert.deepEqual(tried.filter(({ cameOff }) => !cameOff).map(describe), []);
});
