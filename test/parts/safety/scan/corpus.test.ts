import assert from 'node:assert/strict';
import { test } from 'node:test';
import { report, score, totals } from '../../../../scripts/score-scan.ts';

test('the half that may be read: what is left to the scanner is found, and harmless texts are left alone', (context) => {
  const result = score('tune');
  context.diagnostic(report('tune', result));
  assert.ok(result.detected.hit >= result.detected.of * 0.35, `${result.detected.hit} of ${result.detected.of} attacks`);
  assert.ok(
    result.falsePositives.hit <= result.falsePositives.of * 0.005,
    `${result.falsePositives.hit} of ${result.falsePositives.of} harmless texts`,
  );
});

test('security documents of both halves can be let in by their hash', (context) => {
  for (const half of ['tune', 'held-out'] as const) {
    const result = score(half);
    if (half === 'held-out') context.diagnostic(totals(result));
    assert.equal(result.securityAllowed.hit, result.securityAllowed.of);
    assert.ok(result.securityAllowed.of > 0);
  }
});
