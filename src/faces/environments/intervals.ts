import { QUANTILE_OF_NORMAL as Z, quantileOfT } from '../../base/student-t.ts';
import type { Estimate } from '../../contracts/services/environments.ts';

/** Values by the task they are of. Attempts at one task resemble each other: only tasks are independent. */
export type ClusteredValues = readonly (readonly number[])[];
/** What a value cannot be below or above. */
export interface ValueRange {
  readonly low: number;
  readonly high: number;
}
const SHARE: ValueRange = { low: 0, high: 1 };

/**
 * The share of ones among zeros and ones. Wilson's interval, right for few tasks and at 0 and 1, with as many attempts as the
 * repeated ones are worth (Korn and Graubard): at least one a task, at most all.
 */
export function estimateShare(clusters: ClusteredValues): Estimate {
  const count = sum(clusters.map(({ length }) => length));
  if (count === 0) return { mean: 0, ...SHARE, count };
  const mean = sum(clusters.flat()) / count;
  const [tasks, spread] = [clusters.length, mean * (1 - mean)];
  const variance = clusterVariance(clusters, mean, count);
  // Where all attempts came out alike, nothing shows how far those at one task resemble each other.
  const worth = tasks === 1 || spread === 0 ? tasks : (spread / variance) * (Z / quantileOfT(tasks - 1)) ** 2;
  return { mean, ...wilson(mean, Math.min(count, Math.max(tasks, worth))), count };
}

function wilson(share: number, size: number): ValueRange {
  const middle = share + (Z * Z) / (2 * size);
  const spread = Z * Math.sqrt((share * (1 - share)) / size + (Z * Z) / (4 * size * size));
  const scale = 1 + (Z * Z) / size;
  return { low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) };
}

/**
 * A mean of values that lie in a range. Student's interval over tasks; one task alone says nothing of others. Tasks that all came out
 * alike show no spread, which is not the same as having none: others may lie anywhere in the range, as many as Wilson's interval
 * allows for something that was seen at no task.
 */
export function estimateMean(clusters: ClusteredValues, range: ValueRange = SHARE): Estimate {
  const count = sum(clusters.map(({ length }) => length));
  const values = clusters.flat();
  const least = Math.min(range.low, ...values);
  const most = Math.max(range.high, ...values);
  if (count === 0) return { mean: 0, low: least, high: most, count };
  const mean = sum(values) / count;
  if (clusters.length === 1) return { mean, low: least, high: most, count };
  if (clusters.every((task) => Math.abs(average(task) - mean) <= ROUNDING * (most - least))) {
    const unseen = wilson(0, clusters.length).high;
    return { mean, low: mean - unseen * (mean - least), high: mean + unseen * (most - mean), count };
  }
  const error = quantileOfT(clusters.length - 1) * Math.sqrt(clusterVariance(clusters, mean, count));
  return { mean, low: Math.max(least, mean - error), high: Math.min(most, mean + error), count };
}

/** Means of equal values differ by this much of their range at most. */
const ROUNDING = 1e-9;

/** Variance of a mean whose values come in clusters, each of any size (the linearized ratio). */
function clusterVariance(clusters: ClusteredValues, mean: number, count: number): number {
  const tasks = clusters.length;
  if (tasks < 2) return 0;
  const squares = clusters.map((values) => (sum(values) - values.length * mean) ** 2);
  return ((tasks / (tasks - 1)) * sum(squares)) / (count * count);
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
export const average = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length);

/** Between the two in the middle where their number is even; 0 of none. */
export function findMedian(values: readonly number[]): number {
  const half = (values.length - 1) / 2;
  return average(values.toSorted((a, b) => a - b).slice(Math.floor(half), Math.ceil(half) + 1));
}
