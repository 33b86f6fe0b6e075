import type { CacheFinding } from '../../contracts/services/insight.ts';
import type { CallRecord } from '../../contracts/ledger.ts';
import type { CompactionTotal, CallSum } from '../../commands/usage-sums.ts';
import type { UsageSummary } from '../../commands/usage.ts';

/** A call as scripts read it; its id is what `--explain` takes. */
const callRow = (
  { usage: { input, output, cacheRead, cacheWrite, reasoning }, ...call }: CallRecord,
  finding: CacheFinding | undefined,
) => ({
  id: call.id,
  at: new Date(call.at).toISOString(),
  model: call.runtime.model,
  provider: call.runtime.provider,
  ...(call.purpose !== undefined && { purpose: call.purpose }),
  result: call.result,
  input,
  output,
  cacheRead,
  cacheWrite,
  reasoning,
  cost: call.price ?? null,
  cause: finding?.cause ?? null,
  changedSegment: finding?.segment ?? null,
  why: finding?.words ?? null,
});

export const toUsageJson = ({ calls, session, days, findings, compactions = [], ...sums }: UsageSummary) => ({
  session: session?.id ?? null,
  days: days ?? null,
  total: toSumRow(sums.total),
  models: sums.models.map(({ sum, ...model }) => ({ ...model, ...toSumRow(sum) })),
  ...(sums.childTotal !== undefined && { children: { sessions: sums.childTotal.sessions, ...toSumRow(sums.childTotal.sum) } }),
  byDay: sums.byDay.map(({ day, sum }) => ({ day, ...toSumRow(sum) })),
  compactionTotal: compactionRow(sums.compactionTotal),
  ...(session !== undefined && {
    calls: calls.map((call, index) => callRow(call, findings?.[index])),
    compactions: compactions.map((report) => ({ ...report, at: new Date(report.at).toISOString() })),
  }),
});

/** A sum as scripts read it. `cost` is null unless it is the whole cost. */
export const toSumRow = ({ calls, usage, knownCost, unpriced, estimated, cacheShare: share }: CallSum) => ({
  calls,
  ...usage,
  cacheShare: share ?? null,
  cost: unpriced === 0 ? knownCost : null,
  knownCost,
  unpricedCalls: unpriced,
  ...(estimated > 0 && { estimatedCalls: estimated }),
});
const compactionRow = ({ done, refused, tokensSaved, spent }: CompactionTotal) => ({ done, refused, tokensSaved, ...toSumRow(spent) });
