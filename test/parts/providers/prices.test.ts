import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_USAGE, type Usage } from '../../../src/contracts/message.ts';
import { calculatePrice, type CacheTtl, type Prices } from '../../../src/parts/providers/prices.ts';

const SONNET: Prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 };
const GEMINI: Prices = { input: 2, output: 12, cacheRead: 0.2, tiers: [{ above: 200_000, input: 4, output: 18, cacheRead: 0.4 }] };
const usage = (more: Partial<Usage>): Usage => ({ ...NO_USAGE, ...more });

/** Lines of an invoice, reckoned by hand. */
const INVOICE: readonly { readonly prices: Prices; readonly used: Partial<Usage>; readonly ttl?: CacheTtl; readonly dollars: number }[] = [
  // 12,000 × 3 + 800 × 15 per million = 0.036 + 0.012
  { prices: SONNET, used: { input: 12_000, output: 800 }, dollars: 0.048 },
  // 500 × 3 + 41,000 × 0.3 + 2,300 × 3.75 + 1,200 × 15 = 0.0015 + 0.0123 + 0.008625 + 0.018
  { prices: SONNET, used: { input: 500, cacheRead: 41_000, cacheWrite: 2_300, output: 1_200, reasoning: 900 }, dollars: 0.040425 },
  // the same writes for an hour: 2,300 × 6 = 0.0138
  { prices: SONNET, used: { input: 500, cacheRead: 41_000, cacheWrite: 2_300, output: 1_200, reasoning: 900 }, ttl: '1h', dollars: 0.0456 },
  // exactly 200,000 of prompt is not above it: 150,000 × 2 + 50,000 × 0.2 + 1,000 × 12
  { prices: GEMINI, used: { input: 150_000, cacheRead: 50_000, output: 1_000 }, dollars: 0.322 },
  // one more token, and the whole call is dearer: 150,001 × 4 + 50,000 × 0.4 + 1,000 × 18
  { prices: GEMINI, used: { input: 150_001, cacheRead: 50_000, output: 1_000 }, dollars: 0.638004 },
];

test('an invoice is met to the cent', () => {
  const sums = INVOICE.map(({ prices, used, ttl = '5m' }) => calculatePrice(prices, usage(used), ttl) ?? Number.NaN);
  for (const [place, sum] of sums.entries()) assert.ok(Math.abs(sum - (INVOICE[place]?.dollars ?? 0)) < 1e-9, `line ${place + 1}: ${sum}`);
  const total = sums.reduce((all, sum) => all + sum, 0);
  assert.ok(Math.abs(total / 1.094029 - 1) < 0.01, `total ${total}`);
});

test('a missing price makes the sum unknown, but only where it is needed', () => {
  const prices: Prices = { input: 3, output: 15 };
  assert.equal(calculatePrice(prices, usage({ input: 1_000_000, output: 1_000_000 }), '5m'), 18);
  assert.equal(calculatePrice(prices, usage({ input: 1_000_000, cacheRead: 1 }), '5m'), undefined);
  assert.equal(calculatePrice({ ...prices, cacheWrite5m: 3.75 }, usage({ cacheWrite: 1 }), '1h'), undefined);
  assert.equal(calculatePrice({ output: 15 }, usage({ input: 1 }), 'off'), undefined);
  assert.equal(calculatePrice({}, NO_USAGE, '5m'), 0);
});

test('a tier without a price for a class does not borrow the usual one', () => {
  assert.equal(
    calculatePrice(
      { input: 1, output: 1, cacheRead: 1, tiers: [{ above: 10, input: 2, output: 2 }] },
      usage({ input: 11, cacheRead: 1 }),
      '5m',
    ),
    undefined,
  );
});

test('the highest tier that is passed holds, and what is free costs nothing', () => {
  const tiers = [
    { above: 10, input: 2 },
    { above: 100, input: 3 },
  ];
  const of = (input: number) => calculatePrice({ input: 1, tiers }, usage({ input: input }), '5m');
  assert.deepEqual([of(10), of(100), of(1_000_000)], [0.00001, 0.0002, 3]);
  assert.equal(calculatePrice({ input: 0, output: 0, cacheRead: 0 }, usage({ input: 5, output: 5, cacheRead: 5 }), '5m'), 0);
});
