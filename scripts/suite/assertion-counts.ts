/** Which test files execute fewer assertions than they did. */
import { basename } from 'node:path';

/** Of each file: tests that executed assertions, and executed assertions. */
export type AssertionCounts = Readonly<Record<string, readonly [tests: number, assertions: number]>>;

export interface CountsComparison {
  readonly fewer: readonly string[];
  readonly added: readonly string[];
  readonly total: { readonly before: number; readonly after: number };
}

export function compareCounts(before: AssertionCounts, after: AssertionCounts): CountsComparison {
  const located = new Map(Object.keys(before).map((file) => [file, locate(file, before, after)]));
  const fewer = Object.entries(before).flatMap(([file, [tests, assertions]]) => {
    const now = located.get(file);
    if (now === undefined) return [`${file}: nowhere; it had ${assertions} assertions in ${tests} tests`];
    const [testsNow, assertionsNow] = after[now] ?? [0, 0];
    const moved = now === file ? '' : ` (now ${now})`;
    return assertionsNow >= assertions
      ? []
      : [`${file}${moved}: assertions ${assertions} → ${assertionsNow}, tests ${tests} → ${testsNow}`];
  });
  const taken = new Set(located.values());
  const added = Object.entries(after).flatMap(([file, [, assertions]]) => (taken.has(file) ? [] : [`${file}: ${assertions} assertions`]));
  return { fewer, added, total: { before: totalOf(before), after: totalOf(after) } };
}

/** Where a file of before is now: at its place, or the one new file with its name. */
function locate(file: string, before: AssertionCounts, after: AssertionCounts): string | undefined {
  if (after[file] !== undefined) return file;
  const namesakes = Object.keys(after).filter((other) => before[other] === undefined && basename(other) === basename(file));
  return namesakes.length === 1 ? namesakes[0] : undefined;
}

const totalOf = (counts: AssertionCounts): number => Object.values(counts).reduce((sum, [, assertions]) => sum + assertions, 0);
