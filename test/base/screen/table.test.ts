import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawBar, formatDollars, formatPercent } from '../../../src/base/screen/figures.ts';
import { colours, paintFor, plain } from '../../../src/base/screen/paint.ts';
import { drawTable } from '../../../src/base/screen/table.ts';
import { formatAgo, startOfDays } from '../../../src/base/screen/when.ts';

const COLUMNS = [{ heading: 'name' }, { heading: 'n', align: 'right' }, { heading: 'title', flexible: true }] as const;
const ROWS = [
  ['漢字', '7', '한국어 제목'],
  ['plain', '1,200', 'a title'],
];

test('columns line up by what they take on the screen, not by characters', () => {
  assert.deepEqual(drawTable(COLUMNS, ROWS, { paint: plain, columns: Infinity }), [
    'name       n  title',
    '漢字       7  한국어 제목',
    'plain  1,200  a title',
  ]);
});

test('the flexible column gives way to a narrow screen', () => {
  const [, , line] = drawTable(
    COLUMNS,
    [
      ['x', '1', ''],
      ['x', '1', 'a title of more than twenty columns'],
    ],
    { paint: plain, columns: 24 },
  );
  assert.equal(line, 'x     1  a title of mor…');
});

test('colour is laid on after the padding and only for a terminal that wants it', () => {
  const [, line] = drawTable([{ heading: 'a' }, { heading: 'b' }], [[{ text: 'x', paint: colours.bad }, 'y']], {
    paint: plain,
    columns: 80,
  });
  assert.equal(line, '\u001b[31mx\u001b[39m  y');
  const painted = [
    [{ isTTY: true }, {}],
    [{ isTTY: true }, { NO_COLOR: '1' }],
    [{}, {}],
    [{ isTTY: true }, { TERM: 'dumb' }],
  ] as const;
  assert.deepEqual(
    painted.map(([stream, env]) => paintFor(stream, env) === colours),
    [true, false, false, false],
  );
});

test('bars, money and shares', () => {
  assert.deepEqual(
    [0, 0.001, 0.5, 0.97, 1, 3].map((share) => drawBar(share, 4)),
    ['    ', '▏   ', '██  ', '███▉', '████', '████'],
  );
  assert.deepEqual([0, 0.0042, 0.0499, 12].map(formatDollars), ['$0.00', '$0.0042', '$0.05', '$12.00']);
  assert.deepEqual([undefined, 0, 0.034, 0.5, 1].map(formatPercent), ['–', '0%', '3.4%', '50%', '100%']);
});

test('times are told as people tell them', () => {
  const now = new Date(2026, 10, 15, 12, 0).getTime();
  const hours = (count: number) => now - count * 3_600_000;
  assert.deepEqual(
    [now - 5_000, now - 300_000, hours(5), hours(30), hours(100), hours(24 * 9)].map((at) => formatAgo(at, now)),
    ['just now', '5 min ago', '5 h ago', '1 day ago', '4 days ago', '2026-11-06'],
  );
  assert.deepEqual(
    [1, 2, 30].map((days) => new Date(startOfDays(days, now)).toLocaleString('sv-SE')),
    ['2026-11-15 00:00:00', '2026-11-14 00:00:00', '2026-10-17 00:00:00'],
  );
});

test('where the screen is too narrow, optional columns are left out, the last first', () => {
  const columns = [
    { heading: 'id' },
    { heading: 'from', optional: true },
    { heading: 'ended', optional: true },
    { heading: 'title', flexible: true },
  ] as const;
  const rows = [['20260101', 'cli', 'interrupted', 'a title that is rather long']];
  const at = (room: number) => drawTable(columns, rows, { paint: plain, columns: room })[0];
  assert.equal(at(80), 'id        from  ended        title');
  assert.equal(at(30), 'id        from  title');
  assert.equal(at(24), 'id        title');
});
