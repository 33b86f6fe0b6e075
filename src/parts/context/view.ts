import type { CompactionEntry, Entry, EntryHead, MessageEntry } from '../../contracts/entry.ts';
import type { ViewMessage } from '../../contracts/provider.ts';

const SILENT: ViewMessage = { message: { role: 'assistant', content: [] } };

/** The messages the model sees: those of the log, with each compacted span replaced by its summary. */
export function viewOf(entries: readonly Entry[]): readonly ViewMessage[] {
  const spans = entries.filter((entry): entry is EntryHead & CompactionEntry => entry.type === 'compaction');
  const messages = entries.flatMap((entry) => visible(entry, spans));
  return spans.length === 0 ? messages : alternating(messages);
}

/** A later compaction covers an earlier one whole, so the last one that holds a position wins. */
function visible(entry: Entry, spans: readonly (EntryHead & CompactionEntry)[]): ViewMessage[] {
  if (entry.type !== 'message') return [];
  const span = spans.findLast(({ fromSeq, toSeq }) => entry.seq >= fromSeq && entry.seq <= toSeq);
  if (span === undefined) return [...(entry.wireBefore ?? []).map((message) => ({ message })), shownAs(entry)];
  return entry.seq === span.fromSeq ? [{ message: span.summary }] : [];
}

const shownAs = ({ message, wireOnly }: MessageEntry): ViewMessage => ({ message, ...(wireOnly !== undefined && { wireOnly }) });

/** A summary may come to stand beside another user message; silence between them keeps the roles alternating. */
const alternating = (view: readonly ViewMessage[]): ViewMessage[] =>
  view.flatMap((shown, index) => (shown.message.role === 'user' && view[index - 1]?.message.role === 'user' ? [SILENT, shown] : [shown]));
