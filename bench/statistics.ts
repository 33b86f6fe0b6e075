export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
export const median = (values: readonly number[]): number => quantile(values, 0.5);
export const least = (values: readonly number[]): number => Math.min(...values);
/** How far the middle half of the values lies apart, as a share of their median. */
export const spread = (values: readonly number[]): number => (quantile(values, 0.75) - quantile(values, 0.25)) / median(values);

/** The median slope over all pairs: a few slow steps do not bend it. Per 100 steps. */
export function growth(values: readonly number[]): number {
  const slopes = values.flatMap((first, i) => values.slice(i + 1).map((second, j) => (second - first) / (j + 1)));
  return median(slopes) * 100;
}
