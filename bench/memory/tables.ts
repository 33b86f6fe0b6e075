/** Reports as tables: one for all contestants, then one for each way the questions are told apart. */
import type { Report, Totals } from './score.ts';

interface Named {
  readonly name: string;
  readonly report: Report;
}

const share = (part: number, whole: number): string => (whole === 0 ? '–' : ((100 * part) / whole).toFixed(1));
const COLUMNS: readonly (readonly [head: string, cell: (totals: Totals) => string])[] = [
  ['right %', ({ right, answerable }) => share(right, answerable)],
  ['hit %', ({ hits, answerable }) => share(hits, answerable)],
  ['superseded %', ({ supersededShown, withSuperseded }) => share(supersededShown, withSuperseded)],
  ['poison', ({ poisonShown, withPoison }) => `${poisonShown}/${withPoison}`],
  ['false recall %', ({ falseRecalls, unanswerable }) => share(falseRecalls, unanswerable)],
  ['any text %', ({ unansweredWithText, unanswerable }) => share(unansweredWithText, unanswerable)],
  ['questions', ({ answerable, unanswerable }) => `${answerable}+${unanswerable}`],
];
const [NAME, CELL] = [24, 15];

export function tablesOf(reports: readonly Named[]): string {
  const overview = reports.flatMap(({ name, report: { all, splits } }) => [
    row(name, all),
    row('  tune', splits.tune),
    row('  held-out', splits['held-out']),
  ]);
  return [head('all questions'), ...overview, ...BREAKDOWNS.flatMap(([title, of]) => breakdown(title, of, reports))].join('\n');
}

const BREAKDOWNS: readonly (readonly [title: string, of: (report: Report) => Readonly<Record<string, Totals>>])[] = [
  ['by kind', ({ kinds }) => kinds],
  ['by language', ({ languages }) => languages],
  ['by shared words', ({ lexical }) => lexical],
];

const breakdown = (title: string, of: (report: Report) => Readonly<Record<string, Totals>>, reports: readonly Named[]): string[] =>
  reports.flatMap(({ name, report }) => [
    '',
    head(`${name}, ${title}`),
    ...Object.entries(of(report)).map(([key, totals]) => row(key, totals)),
  ]);

const head = (title: string): string => `${title.padEnd(NAME)}${COLUMNS.map(([name]) => name.padStart(CELL)).join('')}`;
const row = (name: string, totals: Totals): string =>
  `${name.padEnd(NAME)}${COLUMNS.map(([, cell]) => cell(totals).padStart(CELL)).join('')}`;
