import type { Usage } from '../../contracts/message.ts';

/** US dollars per million tokens; a class that is absent has no known price. */
export interface Rates {
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite5m?: number;
  readonly cacheWrite1h?: number;
}
export interface Prices extends Rates {
  /** Other rates for the whole call once its prompt is longer than this; shortest first. */
  readonly tiers?: readonly (Rates & { readonly above: number })[];
}
export type CacheTtl = '5m' | '1h' | 'off';

const MILLION = 1_000_000;

/** What a call cost, or `undefined` when a price it needs is unknown: a partial sum would look like an answer. Reasoning is part of the output. */
export function calculatePrice(prices: Prices, usage: Usage, cacheTtl: CacheTtl): number | undefined {
  const rates = ratesFor(prices, usage.input + usage.cacheRead + usage.cacheWrite);
  // How long the server says it keeps the tokens decides. Servers that cache without being asked keep them for the short time.
  const kept1h = Math.min(usage.cacheWrite, usage.cacheWrite1h ?? (cacheTtl === '1h' ? usage.cacheWrite : 0));
  const classes: readonly (readonly [number, number | undefined])[] = [
    [usage.input, rates.input],
    [usage.output, rates.output],
    [usage.cacheRead, rates.cacheRead],
    [usage.cacheWrite - kept1h, rates.cacheWrite5m],
    [kept1h, rates.cacheWrite1h],
  ];
  const needed = classes.filter(([tokens]) => tokens > 0);
  if (needed.some(([, rate]) => rate === undefined)) return undefined;
  return needed.reduce((sum, [tokens, rate = 0]) => sum + tokens * rate, 0) / MILLION;
}

const ratesFor = (prices: Prices, prompt: number): Rates => prices.tiers?.findLast((tier) => prompt > tier.above) ?? prices;
