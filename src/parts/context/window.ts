import type { CompressResult, CompressReason, ContextEngine, CompressRequest } from '../../contracts/context-engine.ts';
import { isMessageEntry, type CompactionReport, type Entry, type EntryHead, type LogMessage } from '../../contracts/entry.ts';
import { createTextBlock, type Message } from '../../contracts/message.ts';
import { explainSwitchedOff, type OffSwitch } from './compressor/off.ts';
import { estimateMessageTokens, estimateRequestTokens } from './view/tokens.ts';
import { measureView, deriveView, type ViewSize } from './view/view.ts';

/** Steps at the end of the running turn that always stay in view. */
const KEPT_STEPS = 2;

/**
 * The smallest engine that keeps a long session alive: nothing is left out until a provider refuses the size, then the
 * older half of what can go makes place for one line that says so. The log keeps every row.
 */
export const windowEngine: ContextEngine = {
  name: 'window',
  view: deriveView,
  estimate: ({ system, tools, view }) => estimateRequestTokens(system, tools, view),
  shouldCompress: () => false,
  compress: async (ask) => (REASONS.has(ask.reason) ? compress(ask) : { ok: false, why: 'no provider has refused the size yet' }),
};

/** The same under the owner's settings: off means off here too. */
export const createWindowEngine = (settings: OffSwitch): ContextEngine => ({
  ...windowEngine,
  compress: async (ask) => {
    const why = explainSwitchedOff(settings, ask.reason);
    return why === undefined ? windowEngine.compress(ask) : { ok: false, why };
  },
});

/** Only a refusal by the provider and the user's own word are reason enough: this engine throws away, it does not sum up. */
const REASONS: ReadonlySet<CompressReason> = new Set(['overflow', 'asked']);

function compress(ask: CompressRequest): CompressResult {
  const { entries } = ask;
  const before = measureView(ask, entries);
  for (const span of candidates(rowsInView(entries))) {
    const [first, last] = [span[0], span.at(-1)];
    if (first === undefined || last === undefined) continue;
    const shrunk = { fromSeq: first.seq, toSeq: last.seq, summary: notice(span, entries) };
    const after = measureView(ask, [...entries, compaction(shrunk, last)]);
    if (after.tokens < before.tokens) return { ok: true, ...shrunk, report: reportOf(ask, before, after) };
  }
  return { ok: false, why: 'the running task alone is larger than the window' };
}

const reportOf = ({ reason, calibration }: CompressRequest, before: ViewSize, after: ViewSize): CompactionReport => ({
  engine: 'window',
  reason,
  outcome: 'digest',
  kind: 'window',
  tokensBefore: Math.round(before.tokens * calibration),
  tokensAfter: Math.round(after.tokens * calibration),
  messagesBefore: before.messages,
  messagesAfter: after.messages,
  ms: 0,
});

/** What could go, in the order it should: turns before the running one, its steps before the last steer, its finished steps after that. */
function candidates(rows: readonly LogMessage[]): LogMessage[][] {
  const task = Math.max(
    rows.findLastIndex(({ origin }) => origin === 'user' || origin === 'cron'),
    0,
  );
  const words = Math.max(
    rows.findLastIndex(({ origin }) => origin === 'steer'),
    task,
  );
  const spans = [rows.slice(0, task), rows.slice(task + 1, words), finishedSteps(rows.slice(words + 1))];
  // A half of little else than an earlier notice saves nothing; then the whole may.
  return spans.flatMap((span) => [olderHalf(span), span]);
}

const compaction = (
  { fromSeq, toSeq, summary }: { readonly fromSeq: number; readonly toSeq: number; readonly summary: Message },
  head: EntryHead,
): Entry => ({ ...head, type: 'compaction', fromSeq, toSeq, summary });

/** Rows still in view, each with the message that stands there: its own, or the summary of the span it begins. */
function rowsInView(entries: readonly Entry[]): LogMessage[] {
  const spans = entries.filter((entry) => entry.type === 'compaction');
  return entries.filter(isMessageEntry).flatMap((row) => {
    const span = spans.findLast(({ fromSeq, toSeq }) => row.seq >= fromSeq && row.seq <= toSeq);
    if (span === undefined) return [row];
    return row.seq === span.fromSeq ? [{ ...row, message: span.summary }] : [];
  });
}

/** Steps of the running turn whose calls all have results, without the last few. */
function finishedSteps(rows: readonly LogMessage[]): LogMessage[] {
  const starts = rows.flatMap((row, index) => (row.message.role === 'assistant' ? [index] : []));
  return rows.slice(0, starts.at(-KEPT_STEPS) ?? 0);
}

/** The older half by tokens, cut where a user or an assistant message begins, so that no call loses its result. */
function olderHalf(rows: readonly LogMessage[]): LogMessage[] {
  const total = rows.reduce((sum, row) => sum + estimateMessageTokens(row.message), 0);
  let sum = 0;
  let end = rows.length;
  for (const [index, row] of rows.entries()) {
    if (sum >= total / 2 && row.message.role !== 'tool') {
      end = index;
      break;
    }
    sum += estimateMessageTokens(row.message);
  }
  return rows.slice(0, end);
}

function notice(span: readonly LogMessage[], entries: readonly Entry[]): Message {
  const earlier = entries.filter((entry) => entry.type === 'compaction').length;
  const more = earlier === 0 ? '' : ' (more was left out before that)';
  const words = `[${span.length} earlier messages of this conversation are no longer shown because it outgrew the model's window${more}. They are kept in the session log. Nothing in this note is to be answered.]`;
  return { role: 'user', content: [createTextBlock(words, 'tool')] };
}
