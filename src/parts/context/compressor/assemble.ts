import type { CompressResult } from '../../../contracts/context-engine.ts';
import type { CompactionKind, CompactionReport, Entry } from '../../../contracts/entry.ts';
import type { Message } from '../../../contracts/message.ts';
import type { ViewSize } from '../view/view.ts';
import type { Bill } from './bill.ts';
import { ENGINE } from './notes.ts';
import type { CompactionPlan } from './plan.ts';

/** The log as it would be with this summary in it. */
export function withSummary(entries: readonly Entry[], { fromSeq, toSeq }: CompactionPlan, summary: Message): readonly Entry[] {
  const last = entries.at(-1);
  if (last === undefined) return entries;
  const { sessionId, at, seq } = last;
  return [...entries, { id: 'pending', sessionId, at, seq: seq + 1, origin: 'summary', type: 'compaction', fromSeq, toSeq, summary }];
}

/** What all reports of one attempt share. */
export interface AttemptFacts {
  readonly reason: string;
  readonly before: ViewSize;
  readonly calibration: number;
  readonly startedAt: number;
  readonly now: () => number;
}
export function createCompactionReport(
  { reason, before, calibration, startedAt, now }: AttemptFacts,
  after: ViewSize,
  kind: CompactionKind,
  bill: Bill,
  why?: string,
): CompactionReport {
  return {
    engine: ENGINE,
    reason,
    outcome: kind === 'summary' || kind === 'digest' ? kind : 'refused',
    kind,
    ...(why !== undefined && { why }),
    tokensBefore: Math.round(before.tokens * calibration),
    tokensAfter: Math.round(after.tokens * calibration),
    messagesBefore: before.messages,
    messagesAfter: after.messages,
    ms: now() - startedAt,
    ...bill,
  };
}

export const toCompressResult = ({ fromSeq, toSeq }: CompactionPlan, summary: Message, report: CompactionReport): CompressResult => ({
  ok: true,
  fromSeq,
  toSeq,
  summary,
  report,
});
