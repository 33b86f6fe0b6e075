import type { Figure, Goal } from './experiments.ts';
import { least, median, spread } from './statistics.ts';

export interface Row {
  readonly name: string;
  readonly unit: string;
  readonly goal: string;
  readonly floor?: Summary;
  readonly ours: Summary;
  /** Ours to the floor's. */
  readonly ratio?: { readonly median: number; readonly least: number };
  readonly reached: boolean;
}
export interface Summary {
  readonly median: number;
  readonly least: number;
  readonly spread: number;
}
export type Rows = readonly Row[];

export function rowOf({ name, unit, goal, floor, ours }: Figure): Row {
  const our = summary(ours);
  const below = floor.length === 0 ? undefined : summary(floor);
  const ratio = below === undefined ? undefined : { median: our.median / below.median, least: our.least / below.least };
  return {
    name,
    unit,
    goal: words(goal),
    ...(below && { floor: below }),
    ours: our,
    ...(ratio && { ratio }),
    reached: reached(goal, our, ratio?.median),
  };
}

const summary = (values: readonly number[]): Summary => ({
  median: round(median(values)),
  least: round(least(values)),
  spread: round(spread(values)),
});
const round = (value: number): number => Math.round(value * 100) / 100;

function words(goal: Goal): string {
  if ('ratio' in goal) return `≤ ${goal.ratio}×`;
  if ('none' in goal) return '–';
  return 'most' in goal ? `≤ ${goal.most}` : 'all';
}

function reached(goal: Goal, ours: Summary, ratio: number | undefined): boolean {
  if ('ratio' in goal) return ratio !== undefined && ratio <= goal.ratio;
  if ('none' in goal) return true;
  return 'most' in goal ? ours.median <= goal.most : ours.least === 100;
}

/** The rows as lines: medians, ratios of medians and of minimums, a bar for each side, and the ratio of the baseline. */
export function tableOf(rows: Rows, baseline: Rows): string {
  return [
    HEAD,
    ...rows.flatMap((row) =>
      linesOf(
        row,
        baseline.find((other) => other.name === row.name),
      ),
    ),
  ].join('\n');
}

const HEAD = `${''.padEnd(48)}${['goal', 'floor', 'ours', 'ratio', 'of min', 'baseline'].map((word) => word.padStart(10)).join('')}`;
const BAR = 30;

function linesOf(row: Row, before: Row | undefined): string[] {
  const cells = [
    row.goal,
    show(row.floor?.median),
    show(row.ours.median),
    show(row.ratio?.median, '×'),
    show(row.ratio?.least, '×'),
    show(before?.ratio?.median, '×'),
  ];
  const line = `${row.goal === '–' ? '·' : row.reached ? '✓' : '✗'} ${`${row.name} (${row.unit})`.padEnd(46)}${cells.map((cell) => cell.padStart(10)).join('')}`;
  if (row.floor === undefined) return [line];
  const most = Math.max(row.floor.median, row.ours.median, 1e-9);
  const bar = (value: number) => '▇'.repeat(Math.max(1, Math.round((BAR * value) / most)));
  return [line, `    floor ${bar(row.floor.median)}`, `    ours  ${bar(row.ours.median)}`];
}

const show = (value: number | undefined, sign = ''): string => (value === undefined ? '–' : `${value.toFixed(value < 10 ? 2 : 1)}${sign}`);
