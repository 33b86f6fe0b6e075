import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_USAGE } from '../../../src/contracts/message.ts';
import { PLAIN } from '../../../src/contracts/runtime.ts';
import type { CallRecord } from '../../../src/contracts/session-store.ts';
import { plain } from '../../../src/faces/cli/paint.ts';
import { drawUsage, usageJson } from '../../../src/faces/cli/usage.ts';
import { sumOf } from '../../../src/faces/cli/usage-sums.ts';

const NOON = new Date(2026, 10, 15, 12, 0).getTime();
const DAY = 86_400_000;
let made = 0;
const call = (over: Partial<CallRecord>): CallRecord => ({
  id: `c_${++made}`,
  sessionId: 's',
  turnId: 't',
  at: NOON,
  ms: 1,
  runtime: { provider: 'p', model: 'm', baseUrl: 'http://h', protocol: 'openai-chat', credential: 'none', limits: { window: 1 } },
  adjust: PLAIN,
  toolUse: 'auto',
  cacheTtl: '5m',
  throughSeq: 1,
  bodyHash: '',
  bodyBytes: 0,
  segments: [],
  estimate: 0,
  usage: NO_USAGE,
  result: 'stop',
  ...over,
});
const usage = { input: 100, output: 10, cacheRead: 300, cacheWrite: 0, reasoning: 4 };
const SCREEN = { paint: plain, columns: Infinity, now: NOON };

test('a sum is whole only when every price is known', () => {
  const [priced, unpriced] = [call({ usage, price: 0.5 }), call({ usage })];
  assert.deepEqual(sumOf([priced, unpriced]), {
    calls: 2,
    usage: { input: 200, output: 20, cacheRead: 600, cacheWrite: 0, reasoning: 8 },
    knownCost: 0.5,
    unpriced: 1,
    cacheShare: 0.75,
  });
  const costs = [[priced], [priced, unpriced], [unpriced]].map((calls) => usageJson({ calls, days: 30 }).total.cost);
  assert.deepEqual(costs, [0.5, null, null]);
  assert.equal(sumOf([call({})]).cacheShare, undefined);
});

test('the screen says what part of the cost is known', () => {
  const mixed = drawUsage({ calls: [call({ usage, price: 0.5 }), call({ usage })], days: 30 }, SCREEN);
  assert.match(mixed, /\$0\.50 \+ \?\n1 call without a known price beside the known \$0\.50\n/);
  const none = drawUsage({ calls: [call({ usage })], days: 30 }, SCREEN);
  assert.ok(none.includes('unknown') && !none.includes('$'), none);
  const known = drawUsage({ calls: [call({ usage, price: 0.002 })], days: 30 }, SCREEN);
  assert.ok(known.includes('$0.0020') && !known.includes('known price'), known);
});

test('several days are drawn by day, one day by session', () => {
  const calls = [call({ usage, price: 1, at: NOON - DAY }), call({ usage, price: 2 }), call({ usage, price: 2, sessionId: 'other' })];
  const lines = drawUsage({ calls, days: 30 }, SCREEN).split('\n');
  assert.deepEqual(lines.slice(lines.findIndex((line) => line.startsWith('day ')) + 1, -1), [
    '2026-11-14  ███████████████       75 %  ██▌         $1.00      1',
    '2026-11-15  ███████████████       75 %  ██████████  $4.00      2',
  ]);
  assert.match(drawUsage({ calls: calls.slice(1), days: 30 }, SCREEN), /\nsession .*\ns {6}.*\nother /);
});
