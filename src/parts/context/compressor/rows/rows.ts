import {
  isMessageEntry,
  type CompactionEntry,
  type Entry,
  type EntryHead,
  type MessageEntry,
  type EntryOrigin,
  type LogMessage,
} from '../../../../contracts/entry.ts';
import { collectToolCalls, type Message, type ToolCall } from '../../../../contracts/message.ts';
import { estimateMessageTokens, estimateTextTokens } from '../../view/tokens.ts';

/** What stands at one place of the view: a message, or the summary of a span. */
export interface ViewRow {
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly origin: EntryOrigin;
  readonly message: Message;
  /** Estimated, with all that rides along. */
  readonly tokens: number;
  readonly summary?: CompactionEntry;
}

/** The rows of the view, in order. Silence between two user messages is the view's own and no row. */
export function listViewRows(entries: readonly Entry[]): readonly ViewRow[] {
  const spans = entries.filter((entry): entry is EntryHead & CompactionEntry => entry.type === 'compaction');
  return entries.filter(isMessageEntry).flatMap((row) => {
    const span = spans.findLast(({ fromSeq, toSeq }) => row.seq >= fromSeq && row.seq <= toSeq);
    if (span === undefined) return [plainRow(row)];
    return span.fromSeq === row.seq ? [summaryRow(span)] : [];
  });
}

const plainRow = (row: LogMessage): ViewRow => ({
  fromSeq: row.seq,
  toSeq: row.seq,
  origin: row.origin,
  message: row.message,
  tokens: estimateMessageTokens(row.message) + ridingAlong(row),
});
const summaryRow = (span: CompactionEntry): ViewRow => ({
  fromSeq: span.fromSeq,
  toSeq: span.toSeq,
  origin: 'summary',
  message: span.summary,
  tokens: estimateMessageTokens(span.summary),
  summary: span,
});

const ridingAlong = ({ wireOnly = [], wireBefore = [] }: MessageEntry): number =>
  wireOnly.reduce((sum, block) => sum + estimateTextTokens(block.text), 0) +
  wireBefore.reduce((sum, message) => sum + estimateMessageTokens(message), 0);

/** Every message of a span as the log has it, also those an earlier compaction took out of view. */
export const listLogMessages = (entries: readonly Entry[], fromSeq: number, toSeq: number): readonly LogMessage[] =>
  entries.filter(isMessageEntry).filter(({ seq }) => seq >= fromSeq && seq <= toSeq);

export const sumTokens = (rows: readonly ViewRow[]): number => rows.reduce((sum, row) => sum + row.tokens, 0);

/** Words of a person, or of a schedule that speaks for one; nudges and hooks are ours. */
export const isSaid = ({ origin, message }: { readonly origin: EntryOrigin; readonly message: Message }): boolean =>
  message.role === 'user' && (origin === 'user' || origin === 'steer' || origin === 'cron');

export const indexCallsById = (messages: readonly Message[]): ReadonlyMap<string, ToolCall> =>
  new Map(
    messages.flatMap((message) => (message.role === 'assistant' ? collectToolCalls(message).map((call) => [call.id, call] as const) : [])),
  );

/** Whether the last step still waits for results. */
export function hasPendingCalls(rows: readonly ViewRow[]): boolean {
  const last = rows.findLastIndex(({ message }) => message.role === 'assistant');
  const asked = last < 0 ? undefined : rows[last]?.message;
  if (asked?.role !== 'assistant') return false;
  const answered = new Set(rows.slice(last + 1).flatMap(({ message }) => (message.role === 'tool' ? [message.callId] : [])));
  return collectToolCalls(asked).some(({ id }) => !answered.has(id));
}
