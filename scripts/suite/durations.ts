/** How long the long test files take, so that the last to end is not the last to start. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

const TABLE = 'scripts/suite/durations.json';
/** Shorter ones fill the gaps, whenever they run. */
const WORTH_KEEPING_S = 3;

/** By the file's name without its folder: a file that moves takes as long as before. */
const known = JSON.parse(readFileSync(TABLE, 'utf8')) as Readonly<Record<string, number>>;
const nameOf = (file: string): string => basename(file, '.test.ts');

export const isLong = (file: string): boolean => known[nameOf(file)] !== undefined;

/** An unknown walk is likelier to be long than an unknown table. */
const expected = (file: string): number => known[nameOf(file)] ?? (file.includes('/walks/') ? WORTH_KEEPING_S : 0);

export const longestFirst = (files: readonly string[]): string[] => files.toSorted((a, b) => expected(b) - expected(a) || (a < b ? -1 : 1));

export function recordDurations(durations: ReadonlyMap<string, number>): void {
  const sums = new Map<string, number>();
  for (const [file, ms] of durations) sums.set(nameOf(file), Math.max(sums.get(nameOf(file)) ?? 0, Math.round(ms / 1000)));
  const rows = [...sums].filter(([, seconds]) => seconds >= WORTH_KEEPING_S).toSorted(([, a], [, b]) => b - a);
  writeFileSync(TABLE, `${JSON.stringify(Object.fromEntries(rows), undefined, 2)}\n`);
}
