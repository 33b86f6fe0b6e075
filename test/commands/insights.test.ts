import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colours, plain } from '../../src/base/screen/paint.ts';
import { drawSparkline } from '../../src/base/screen/figures.ts';
import { measureWidth } from '../../src/base/width.ts';
import { stripVTControlCharacters } from 'node:util';
import { drawInsights } from '../../src/commands/draw-insights.ts';
import { createInsightsPage } from '../../src/commands/page-insights.ts';
import { mergeDays, sumActivity } from '../../src/commands/insight-sums.ts';
import { QUARTER_HOUR } from '../../src/contracts/ledger.ts';
import { NOW, sampleInsights } from './insight-sample.ts';

const USAGE = { input: 100, output: 50, cacheRead: 300, cacheWrite: 0, reasoning: 10 };
/** Two calls on a Saturday evening, one shortly after midnight. */
const LATE = new Date(2026, 10, 14, 23, 45).getTime();
const CALL = {
  at: LATE,
  provider: 'p',
  model: 'm',
  result: 'stop',
  calls: 2,
  estimated: 0,
  ms: 600,
  usage: USAGE,
  price: 0.5,
  unpriced: 0,
} as const;
const FAILED = { ...CALL, at: LATE + QUARTER_HOUR, result: 'rate_limited', calls: 1, price: 0, unpriced: 1 } as const;

test('days are those of the reader: what happened after midnight belongs to the next, and no day is left out', () => {
  const found = sumActivity(
    {
      calls: [CALL, FAILED],
      turns: [
        { at: LATE, exitReason: 'answered', turns: 1 },
        { at: LATE + QUARTER_HOUR, exitReason: 'rate_limited', turns: 2 },
      ],
      sessions: [{ at: LATE, source: 'cli', sessions: 1 }],
      tools: [],
    },
    { days: 3, since: new Date(2026, 10, 13).getTime(), now: NOW, compactions: [] },
  );
  assert.deepEqual(
    found.byDay.map(({ day, sum, sessions, turns }) => [day, sum.calls, sum.knownCost, sum.unpriced, sessions, turns]),
    [
      ['2026-11-13', 0, 0, 0, 0, 0],
      ['2026-11-14', 2, 0.5, 0, 1, 1],
      ['2026-11-15', 1, 0, 1, 0, 2],
    ],
  );
  assert.deepEqual([found.byHour[5]?.[23], found.byHour[6]?.[0], found.byHour.flat().reduce((sum, calls) => sum + calls)], [2, 1, 3]);
  assert.deepEqual(found.models, [
    {
      provider: 'p',
      model: 'm',
      ms: 1200,
      failed: 1,
      sum: {
        calls: 3,
        usage: { input: 200, output: 100, cacheRead: 600, cacheWrite: 0, reasoning: 20 },
        knownCost: 0.5,
        unpriced: 1,
        estimated: 0,
        cacheShare: 0.75,
      },
    },
  ]);
  assert.deepEqual(found.exits, [
    { reason: 'rate_limited', turns: 2 },
    { reason: 'answered', turns: 1 },
  ]);
  assert.deepEqual([found.failures, found.sources], [[{ result: 'rate_limited', calls: 1 }], [{ source: 'cli', sessions: 1 }]]);
});

for (const columns of [40, 80])
  test(`the report fits ${columns} columns, with and without color`, () => {
    const found = sampleInsights(30);
    const bare = drawInsights(found, { paint: plain, columns, now: NOW });
    for (const line of bare.split('\n')) assert.ok(measureWidth(line) <= columns, `${measureWidth(line)}: ${line}`);
    assert.ok(!bare.includes('\u001b'));
    const painted = drawInsights(found, { paint: colours, columns, now: NOW });
    assert.ok(painted.includes('\u001b'));
    assert.equal(stripVTControlCharacters(painted), bare);
    for (const heading of ['Day by day', 'Busiest hours', 'Models', 'Tools', 'How turns ended', 'Compactions'])
      assert.ok(bare.includes(`\n${heading}\n`), heading);
  });

test('where nothing happened that is said', () => {
  const found = sumActivity({ calls: [], turns: [], sessions: [], tools: [] }, { days: 1, since: NOW, now: NOW, compactions: [] });
  assert.equal(
    drawInsights(found, { paint: plain, columns: 40, now: NOW }),
    'Insights: today\n2026-11-15\n\nNothing happened in this time.\n',
  );
});

test('a sparkline shows a little as more than nothing, and joins what has no column of its own', () => {
  assert.equal(drawSparkline([0, 1, 50, 100], 10), '·▁▄█');
  assert.equal(drawSparkline([1, 1, 2, 2, 0], 3), '▄█·');
  assert.equal(drawSparkline([], 3), '');
  assert.equal(drawSparkline([0, 0.5, 0.9, 1], 4, 1), '·▄██', 'a share is drawn as a share of the whole');
  assert.equal(drawSparkline([0.5, 0.5], 4, 1), '▄▄');
});

test('a year is drawn by weeks, and a week is the sum of its days', () => {
  const { byDay } = sampleInsights(200);
  const weeks = mergeDays(byDay, 7);
  assert.equal(weeks.length, Math.ceil(byDay.length / 7));
  const count = (spans: typeof byDay) => spans.reduce((sum, { sum: { calls, usage } }) => sum + calls + usage.cacheRead, 0);
  assert.equal(count(weeks), count(byDay));
  assert.match(createInsightsPage(sampleInsights(200)), /Tokens per week/);
});

test('the page has a title for each shape and a sentence for each plot, and names of others are text in it', () => {
  const found = sampleInsights(30);
  const evil = '<img src=x onerror=alert(1)>"\u202e';
  const page = createInsightsPage({ ...found, tools: [{ name: evil, calls: 1, failed: 0, timed: 0, ms: 0 }] });
  assert.ok(page.includes('&lt;img src=x onerror=alert(1)&gt;&quot;�'));
  assert.doesNotMatch(page, /<img|<script|https?:|@import|url\(/);
  const plots = [...page.matchAll(/<svg[^>]*role="img"[^>]*>/g)].map(([tag]) => tag);
  assert.equal(plots.length, 7);
  for (const tag of plots) assert.match(tag, /aria-label="[^"]{10,}"/);
  const groups = page.split('<g>').slice(1);
  assert.ok(groups.length > 300 && groups.every((group) => group.trimStart().startsWith('<title>')));
});
