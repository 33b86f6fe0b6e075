import { lazy } from '../lazy.ts';

/** Numbers as people read them. */
export const formatWhole = (value: number): string => Math.round(value).toLocaleString('en-US');
export const formatPercent = (share: number | undefined): string =>
  share === undefined ? '–' : `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)}%`;
export const formatCount = (value: number, one: string, many = `${one}s`): string => `${formatWhole(value)} ${value === 1 ? one : many}`;

/** Four decimals under one cent, where two would say nothing. */
export const formatDollars = (value: number): string => `$${value.toFixed(value > 0 && value < 0.01 ? 4 : 2)}`;

/** Blocks by eighths, so that a small share is still seen. */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const;

/** A bar for a share of 0 to 1, always `columns` wide. */
export function drawBar(share: number, columns: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * columns * 8);
  // Something is not nothing, however little it is.
  const drawn = share > 0 ? Math.max(1, eighths) : eighths;
  return ('█'.repeat(Math.floor(drawn / 8)) + (EIGHTHS[drawn % 8] ?? '')).padEnd(columns);
}

/** A large number in few columns: `1.2M`. */
export const formatShort = (value: number): string => short().format(value);
const short = lazy(() => new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }));

const STEPS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** One column for each value, or for the sum of several in a row where there are more than columns. `full` is as high as a column. */
export function drawSparkline(values: readonly number[], columns: number, full?: number): string {
  const each = Math.max(1, Math.ceil(values.length / Math.max(1, columns)));
  const joined = Array.from({ length: Math.ceil(values.length / each) }, (_, index) => sum(values.slice(index * each, (index + 1) * each)));
  const most = full ?? Math.max(...joined);
  // Nothing is a point, so that something, however little, is seen to be more.
  return joined.map((value) => (value > 0 ? (STEPS[Math.ceil((value / most) * STEPS.length) - 1] ?? STEPS[0]) : '·')).join('');
}
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
