import { formatCount } from '../base/screen/figures.ts';
import type { CompactionReport } from '../contracts/entry.ts';
import { NO_USAGE, type Usage } from '../contracts/message.ts';
import type { CallRecord } from '../contracts/ledger.ts';

/** Calls added up. A sum of prices is whole only when every price was known. */
export interface CallSum {
  readonly calls: number;
  readonly usage: Usage;
  /** US dollars of the calls whose price is known. */
  readonly knownCost: number;
  readonly unpriced: number;
  /** Calls that their server did not count, or not wholly: our own count stands for it. */
  readonly estimated: number;
  /** Of all prompt tokens, those that came from the cache; `undefined` when there were none. */
  readonly cacheShare: number | undefined;
}

export function sumCallUsage(calls: readonly CallRecord[]): CallSum {
  const usage = calls.reduce((sum, call) => addUsage(sum, call.usage), NO_USAGE);
  return {
    calls: calls.length,
    usage,
    knownCost: calls.reduce((sum, call) => sum + (call.price ?? 0), 0),
    unpriced: calls.filter((call) => call.price === undefined).length,
    estimated: calls.filter((call) => call.usageEstimated === true).length,
    cacheShare: computeCacheShare(usage),
  };
}

export function computeCacheShare({ input, cacheRead, cacheWrite }: Usage): number | undefined {
  const prompt = input + cacheRead + cacheWrite;
  return prompt === 0 ? undefined : cacheRead / prompt;
}

export const addUsage = (a: Usage, b: Usage): Usage => ({
  input: a.input + b.input,
  output: a.output + b.output,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWrite: a.cacheWrite + b.cacheWrite,
  reasoning: a.reasoning + b.reasoning,
});

/** A sum in one line. */
export function describeSum({ calls, usage, knownCost, unpriced, estimated, cacheShare: share }: CallSum): string {
  const { input, cacheRead, cacheWrite, output } = usage;
  const cached = share === undefined ? '' : ` (${Math.round(share * 100)}% from the cache)`;
  return `${formatCount(calls, 'call')}, ${input + cacheRead + cacheWrite} tokens in${cached}, ${output} out, ${describeCost(calls, knownCost, unpriced)}${estimated > 0 ? ` (${describeEstimated(estimated)})` : ''}`;
}

/** What calls cost, as far as their prices are known. */
export function describeCost(calls: number, known: number, unpriced: number): string {
  if (unpriced > 0 && unpriced === calls) return 'cost unknown';
  return `$${known.toFixed(4)}${unpriced > 0 ? ` and ${formatCount(unpriced, 'call')} of unknown price` : ''}`;
}

/** How much of a sum is our own count, of calls that broke off, are still running or were lost with their process as well. */
export const describeEstimated = (estimated: number): string =>
  `${formatCount(estimated, 'call')} not fully counted by the server: what is missing is estimated, rather too high`;

/** Calls under one name, in the order the names first appear. */
export function groupCallsBy(
  calls: readonly CallRecord[],
  nameOf: (call: CallRecord) => string,
): ReadonlyMap<string, readonly CallRecord[]> {
  return Map.groupBy(calls, nameOf);
}

/** All compactions of a stretch of days or of a session: what they saved, and what the calls for their notes took. */
export interface CompactionTotal {
  readonly done: number;
  readonly refused: number;
  readonly tokensSaved: number;
  readonly spent: CallSum;
}

export function sumCompactions(reports: readonly CompactionReport[], calls: readonly CallRecord[]): CompactionTotal {
  const done = reports.filter(({ outcome }) => outcome !== 'refused');
  return {
    done: done.length,
    refused: reports.length - done.length,
    tokensSaved: done.reduce((sum, { tokensBefore, tokensAfter }) => sum + tokensBefore - tokensAfter, 0),
    spent: sumCallUsage(calls.filter(({ purpose }) => purpose === 'compaction')),
  };
}
