import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CompactionReport } from '../../../src/contracts/entry.ts';
import { NO_USAGE } from '../../../src/contracts/message.ts';
import { DEFAULT_ADJUSTMENTS } from '../../../src/contracts/runtime.ts';
import type { Session } from '../../../src/contracts/session-store.ts';
import type { CallRecord } from '../../../src/contracts/ledger.ts';
import { plain } from '../../../src/base/screen/paint.ts';
import * as json from '../../../src/faces/cli/usage-json.ts';
import * as drawing from '../../../src/faces/cli/usage.ts';
import { summarize, type UsageScope } from '../../../src/commands/usage.ts';
import { describeCost, sumCallUsage } from '../../../src/commands/usage-sums.ts';

const drawUsage = (scope: UsageScope, screen: Parameters<typeof drawing.drawUsage>[1]) => drawing.drawUsage(summarize(scope), screen);
const usageJson = (scope: UsageScope) => json.toUsageJson(summarize(scope));

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
  adjust: DEFAULT_ADJUSTMENTS,
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
  assert.deepEqual(sumCallUsage([priced, unpriced]), {
    calls: 2,
    usage: { input: 200, output: 20, cacheRead: 600, cacheWrite: 0, reasoning: 8 },
    knownCost: 0.5,
    unpriced: 1,
    estimated: 0,
    cacheShare: 0.75,
  });
  const costs = [[priced], [priced, unpriced], [unpriced]].map((calls) => usageJson({ calls, days: 30 }).total.cost);
  assert.deepEqual(costs, [0.5, null, null]);
  assert.equal(sumCallUsage([call({})]).cacheShare, undefined);
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
    '2026-11-14  ███████████████       75%  ██▌         $1.00      1',
    '2026-11-15  ███████████████       75%  ██████████  $4.00      2',
  ]);
  assert.match(drawUsage({ calls: calls.slice(1), days: 30 }, SCREEN), /\nsession .*\ns {6}.*\nother /);
});

const report = (outcome: CompactionReport['outcome'], tokensAfter: number) => ({
  engine: 'compressor',
  reason: 'threshold',
  outcome,
  tokensBefore: 1_000,
  tokensAfter,
  messagesBefore: 9,
  messagesAfter: 3,
  ms: 4,
  at: NOON,
});

test('compactions are totalled: what was done and refused, what it saved, what its notes cost', () => {
  const notes = call({ usage, price: 0.25, purpose: 'compaction' });
  const calls = [call({ usage, price: 1 }), notes, notes];
  const compactions = [report('summary', 400), report('digest', 900), report('refused', 1_000)];
  const { compactionTotal, total, models } = usageJson({ calls, days: 30, compactions });
  const { done, refused, tokensSaved, calls: written, cost, input } = compactionTotal;
  assert.deepEqual([done, refused, tokensSaved, written, cost, input], [2, 1, 700, 2, 0.5, 200]);
  assert.deepEqual([total.calls, total.cost], [3, 1.5], 'they are part of the whole');
  assert.deepEqual(
    models.map((row) => [row.model, row.purpose, row.calls]),
    [
      ['m', undefined, 1],
      ['m', 'compaction', 2],
    ],
  );
  const screen = drawUsage({ calls, days: 30, compactions }, SCREEN);
  assert.ok(screen.includes('\nCompactions  2 done, 1 refused; 700 tokens saved; 2 calls for notes, $0.50\n'), screen);
  const free = drawUsage({ calls: calls.slice(0, 1), days: 30, compactions: compactions.slice(1, 2) }, SCREEN);
  assert.ok(free.includes('Compactions  1 done, 0 refused; 100 tokens saved; no model was asked\n'), free);
  assert.ok(!drawUsage({ calls: calls.slice(0, 1), days: 30 }, SCREEN).includes('Compactions'));
});

const SESSION: Session = {
  id: 's',
  source: 'cli',
  platform: 'cli',
  cwd: '/',
  model: 'm',
  provider: 'p',
  startedAt: NOON,
  updatedAt: NOON,
  messages: 9,
  unfinished: false,
};

test('a compaction of a session is told with what came of it more closely, where that says more', () => {
  const kinds = [
    { ...report('summary', 400), kind: 'summary' as const },
    { ...report('digest', 500), kind: 'window' as const },
    { ...report('refused', 1_000), kind: 'too_large' as const },
    report('refused', 1_000),
  ];
  const screen = drawUsage({ calls: [call({ usage })], days: undefined, session: SESSION, compactions: kinds }, SCREEN);
  assert.match(screen, /window/);
  assert.match(screen, /too large/);
  assert.equal(screen.match(/\brefused(?:,|  )/g)?.length, 2);
});

test('a cost nobody knows is not told as nothing', () => {
  assert.deepEqual(
    [describeCost(4, 0, 4), describeCost(4, 0.5, 1), describeCost(0, 0, 0)],
    ['cost unknown', '$0.5000 and 1 call of unknown price', '$0.0000'],
  );
});
