import type { ModelLine } from '../contracts/services/models.ts';

/** What is known of a model, in a few words: `200k tokens, $3 in, $15 out`. */
export const describeModelFacts = ({ window, inputPrice, outputPrice }: ModelLine): string =>
  [
    ...(window === undefined ? [] : [`${formatTokens(window)} tokens`]),
    ...(inputPrice === undefined ? [] : [`${formatRate(inputPrice)} in`]),
    ...(outputPrice === undefined ? [] : [`${formatRate(outputPrice)} out`]),
  ].join(', ');

export function formatTokens(count: number): string {
  if (count >= 1_000_000) return `${Number((count / 1_000_000).toFixed(1))}M`;
  return count >= 1_000 ? `${Math.round(count / 1_000)}k` : String(count);
}

/** Dollars per million tokens. */
export const formatRate = (rate: number): string => `$${Number(rate.toPrecision(3))}`;
