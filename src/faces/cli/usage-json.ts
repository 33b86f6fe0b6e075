import type { CacheFinding } from '../../agent/attribution.ts';
import type { CallRecord } from '../../contracts/session-store.ts';
import { compactionRow, compactionTotal } from './usage-compactions.ts';
import { groupedBy, sumOf, sumRow } from '../../commands/usage-sums.ts';
import { modelOf, type UsageView } from './usage.ts';
import { dayOf } from '../../base/screen/when.ts';

/** A call as scripts read it; its id is what `--explain` takes. */
const callRow = (call: CallRecord, finding: CacheFinding | undefined) => ({
  id: call.id,
  at: new Date(call.at).toISOString(),
  model: call.runtime.model,
  provider: call.runtime.provider,
  ...(call.purpose !== undefined && { purpose: call.purpose }),
  result: call.result,
  ...call.usage,
  cost: call.price ?? null,
  cause: finding?.cause ?? null,
  changedSegment: finding?.segment ?? null,
  why: finding?.words ?? null,
});

export const usageJson = ({ calls, session, days, findings, compactions = [], children = [] }: UsageView) => ({
  session: session?.id ?? null,
  days: days ?? null,
  total: sumRow(sumOf([...calls, ...children])),
  models: [...groupedBy(calls, modelOf).values()].map((group) => ({
    provider: group[0]?.runtime.provider,
    model: group[0]?.runtime.model,
    ...(group[0]?.purpose !== undefined && { purpose: group[0].purpose }),
    ...sumRow(sumOf(group)),
  })),
  ...(children.length > 0 && { children: { sessions: groupedBy(children, (call) => call.sessionId).size, ...sumRow(sumOf(children)) } }),
  byDay: [...groupedBy([...calls, ...children], (call) => dayOf(call.at))].map(([day, group]) => ({ day, ...sumRow(sumOf(group)) })),
  compactionTotal: compactionRow(compactionTotal(compactions, calls)),
  ...(session !== undefined && {
    calls: calls.map((call, index) => callRow(call, findings?.[index])),
    compactions: compactions.map((report) => ({ ...report, at: new Date(report.at).toISOString() })),
  }),
});
