import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeSummaryBudget, computeThreshold, computeUsableTokens } from '../../../../src/parts/context/compressor/budgets.ts';
import { listViewRows, sumTokens } from '../../../../src/parts/context/compressor/rows/rows.ts';
import { askOf, bulk, commit, DEFAULTS, engineWith, good, newLog, type Log } from './log.ts';

test('the defaults are the seed figures', () => {
  assert.deepEqual(
    [
      DEFAULTS['compression.enabled'],
      DEFAULTS['compression.threshold'],
      DEFAULTS['compression.target_ratio'],
      DEFAULTS['compression.protect_last_n'],
    ],
    [true, 0.5, 0.2, 20],
  );
  assert.equal(DEFAULTS['context.engine'], 'compressor');
});

for (const [content, window, budget] of [
  [0, 200_000, 2_000],
  [9_999, 200_000, 2_000],
  [20_000, 200_000, 4_000],
  [70_000, 200_000, 10_000],
  [1_000_000, 200_000, 10_000],
  [1_000_000, 1_000_000, 12_000],
  [30_000, 128_000, 6_000],
  [40_000, 128_000, 6_400],
  [10_000, 40_000, 2_000],
  [10_000, 20_000, 2_000],
  [10_000, 8_000, 800],
] as const) {
  test(`a summary of ${content} tokens in a window of ${window} may take ${budget}`, () =>
    assert.equal(computeSummaryBudget(content, window), budget));
}

test('the answer gets its room, but never more than half the window', () => {
  assert.equal(computeUsableTokens({ window: 100_000, maxOutput: 20_000 }), 80_000);
  assert.equal(computeUsableTokens({ window: 8_000, maxOutput: 32_000 }), 4_000);
  assert.equal(computeThreshold(DEFAULTS, { window: 100_000, maxOutput: 20_000 }), 50_000);
  assert.equal(computeThreshold({ ...DEFAULTS, 'compression.threshold': 0.9 }, { window: 100_000, maxOutput: 20_000 }), 80_000);
});

const WINDOWS = [16_000, 32_000, 64_000, 128_000, 200_000, 1_000_000];
const USAGES = [0.1, 0.3, 0.47, 0.5, 0.55, 0.7, 0.9, 1.2];

for (const window of WINDOWS) {
  for (const usage of USAGES) {
    test(`a window of ${window} filled to ${usage * 100} % ${usage >= 0.5 ? 'is compacted once' : 'is left alone'}`, async () => {
      const engine = engineWith([good()]);
      const log = filled(window * usage, window / 60);
      const tokens = () => engine.estimate({ system: '', tools: [], view: engine.view(log.entries) });
      assert.equal(engine.shouldCompress({ tokens: tokens(), window }), usage >= 0.5);
      if (usage < 0.5) return;
      const result = await engine.compress(askOf(log, { window }));
      assert.ok(result.ok, JSON.stringify(result));
      commit(log, result);
      assert.ok(tokens() < window * 0.5, `${tokens()} tokens are left`);
      assert.equal(engine.shouldCompress({ tokens: tokens(), window }), false);
      assert.equal(result.report.tokensAfter, tokens());
    });
  }
}

/** A log of at least so many tokens, in steps of this size. */
function filled(tokens: number, each: number): Log {
  const log = newLog();
  log.user('do the long work');
  for (let step = 1; sumTokens(listViewRows(log.entries)) < tokens; step++)
    log.step([{ name: 'terminal', input: { command: `make part-${step}` }, result: bulk(each, `p${step}`) }]);
  return log;
}

test('off means off: it never fires, and neither the threshold nor an overflow compacts', async () => {
  const log = filled(120_000, 3_000);
  const engine = engineWith([good()], { settings: { 'compression.enabled': false } });
  assert.equal(engine.shouldCompress({ tokens: 1e9, window: 1_000 }), false);
  for (const reason of ['threshold', 'hygiene', 'overflow'] as const) {
    const result = await engine.compress(askOf(log, { reason }));
    assert.ok(!result.ok && result.report === undefined && result.why.includes('compression.enabled'));
  }
  assert.equal((await engine.compress(askOf(log, { reason: 'asked' }))).ok, true, 'the user may still ask for it');
});

test('the calibration moves the threshold: twice as many real tokens, and half as many estimated ones must stay', async () => {
  const log = filled(80_000, 2_000);
  const result = await engineWith([good()]).compress(askOf(log, { calibration: 2 }));
  assert.ok(result.ok);
  assert.ok(result.report.tokensBefore >= 160_000 && result.report.tokensAfter < 100_000);
});
