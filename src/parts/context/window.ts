import type { ContextEngine, Shrunk } from '../../contracts/context-engine.ts';
import { isMessage, type Entry, type EntryHead, type MessageEntry } from '../../contracts/entry.ts';
import { messageTokens, requestTokens } from './tokens.ts';
import { viewOf } from './view.ts';

/** Steps at the end of the running turn that always stay in view. */
const KEPT_STEPS = 2;

type Row = EntryHead & MessageEntry;

/**
 * The smallest engine that keeps a long session alive: nothing is left out until a provider refuses the size, then the
 * older half of what can go makes place for one line that says so. The log keeps every row.
 */
export const windowEngine: ContextEngine = {
  name: 'window',
  view: viewOf,
  estimate: ({ system, tools, view }) => requestTokens(system, tools, view),
  shrink: async (entries): Promise<Shrunk> => {
    const rows = shown(entries);
    const task = rows.findLastIndex((row) => row.origin === 'user' || row.origin === 'steer' || row.origin === 'cron');
    // Whole turns before the running task go first; only when there are none, early steps of the task itself.
    const spans = [rows.slice(0, Math.max(task, 0)), finishedSteps(rows.slice(task + 1))];
    const span = spans.map(olderHalf).find((candidate) => candidate.length > 0);
    const first = span?.[0];
    const last = span?.at(-1);
    if (first === undefined || last === undefined || span === undefined) return { ok: false, why: 'the running task alone is larger than the window' };
    return { ok: true, fromSeq: first.seq, toSeq: last.seq, summary: notice(span, entries) };
  },
};

/** Rows still in view: those behind the last compaction, and those before any. */
function shown(entries: readonly Entry[]): Row[] {
  const spans = entries.filter((entry) => entry.type === 'compaction');
  const hidden = (seq: number) => spans.some((span) => span.type === 'compaction' && seq > span.fromSeq && seq <= span.toSeq);
  return entries.filter(isMessage).filter((row) => !hidden(row.seq));
}

/** Steps of the running turn whose calls all have results, without the last few. */
function finishedSteps(rows: readonly Row[]): Row[] {
  const starts = rows.flatMap((row, index) => (row.message.role === 'assistant' ? [index] : []));
  return rows.slice(0, starts.at(-KEPT_STEPS) ?? 0);
}

/** The older half by tokens, cut where a user or an assistant message begins, so that no call loses its result. */
function olderHalf(rows: readonly Row[]): Row[] {
  const total = rows.reduce((sum, row) => sum + messageTokens(row.message), 0);
  let sum = 0;
  let end = rows.length;
  for (const [index, row] of rows.entries()) {
    if (sum >= total / 2 && row.message.role !== 'tool') {
      end = index;
      break;
    }
    sum += messageTokens(row.message);
  }
  return rows.slice(0, end);
}

function notice(span: readonly Row[], entries: readonly Entry[]): string {
  const earlier = entries.filter((entry) => entry.type === 'compaction').length;
  const more = earlier === 0 ? '' : ' (more was left out before that)';
  return `[${span.length} earlier messages of this conversation are no longer shown because it outgrew the model's window${more}. They are kept in the session log. Nothing in this note is to be answered.]`;
}
