import type { Compressed, CompressAsk } from '../../../contracts/context-engine.ts';
import type { CompactionKind, CompactionReport, Entry } from '../../../contracts/entry.ts';
import type { Message } from '../../../contracts/message.ts';
import { requestTokens } from '../view/tokens.ts';
import { viewOf } from '../view/view.ts';
import type { Bill } from './bill.ts';
import { ENGINE } from './notes.ts';
import type { Plan } from './plan.ts';

/** A request as it would be sent: estimated tokens and messages. */
export interface Size {
  readonly tokens: number;
  readonly messages: number;
}
export function sizeOf({ system, tools }: CompressAsk, entries: readonly Entry[]): Size {
  const view = viewOf(entries);
  return { tokens: requestTokens(system, tools, view), messages: view.length };
}

/** The log as it would be with this summary in it. */
export function withSummary(entries: readonly Entry[], { fromSeq, toSeq }: Plan, summary: Message): readonly Entry[] {
  const last = entries.at(-1);
  if (last === undefined) return entries;
  const { sessionId, at, seq } = last;
  return [...entries, { id: 'pending', sessionId, at, seq: seq + 1, origin: 'summary', type: 'compaction', fromSeq, toSeq, summary }];
}

/** What all reports of one attempt share. */
export interface Attempted {
  readonly reason: string;
  readonly before: Size;
  readonly calibration: number;
  readonly startedAt: number;
  readonly now: () => number;
}
export function reportOf(
  { reason, before, calibration, startedAt, now }: Attempted,
  after: Size,
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

export const done = ({ fromSeq, toSeq }: Plan, summary: Message, report: CompactionReport): Compressed => ({
  ok: true,
  fromSeq,
  toSeq,
  summary,
  report,
});
