import { clip } from '../../../base/text.ts';
import { isObject } from '../../../base/json.ts';
import type { CompactionEntry, Entry, EntryHead, LogMessage } from '../../../contracts/entry.ts';
import type { Json, Message, ToolCall } from '../../../contracts/message.ts';

/** What a stretch of a row is, because a sentence somebody said is worth more than a line of a build log. */
export type RowVoice = 'user' | 'assistant' | 'ours' | 'call' | 'result';

/** A stretch of a row's text in one voice. */
export interface RowSection {
  readonly voice: RowVoice;
  readonly start: number;
  readonly end: number;
}
/** A message entry as plain text, the same text every time: offsets into it stay true. */
export interface RecallRow {
  readonly seq: number;
  readonly at: number;
  readonly who: string;
  readonly text: string;
  readonly sections: readonly RowSection[];
  /** Where its words come from, as far as they come from outside. */
  readonly foreign: readonly string[];
}

/** The calls of a log by id: a result alone does not say what was asked. */
export type CallsById = ReadonlyMap<string, ToolCall>;

/** This tool's own answers are copies of what is found anyway. */
export const TOOL_NAME = 'context_recall';

export const listToolCalls = (entry: Entry): ToolCall[] =>
  entry.type === 'message' && entry.message.role === 'assistant' ? entry.message.content.filter((block) => block.type === 'tool_call') : [];

export function toRecallRow(entry: LogMessage, calls: CallsById): RecallRow {
  const parts = entry.message.content.flatMap((block) => partOf(block, voiceOf(entry)));
  let end = -1;
  const sections = parts.map(({ voice, text }) => {
    const start = end + 1;
    end = start + text.length;
    return { voice, start, end };
  });
  const text = parts.map((part) => part.text).join('\n');
  return { seq: entry.seq, at: entry.at, who: whoOf(entry, calls), text, sections, foreign: foreignIn(entry.message) };
}

const voiceOf = ({ message, origin }: LogMessage): RowVoice =>
  message.role === 'tool' ? 'result' : origin === 'nudge' || origin === 'summary' || origin === 'system' ? 'ours' : message.role;

interface VoicedText {
  readonly voice: RowVoice;
  readonly text: string;
}

/** Reasoning is never content, so it is not recalled either. */
function partOf(block: Message['content'][number], voice: RowVoice): VoicedText[] {
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [{ voice, text: block.text }];
    case 'image':
      return [{ voice, text: `[image ${block.mime}]` }];
    case 'file':
      return [{ voice, text: `[file ${block.name}, ${block.mime}]` }];
    case 'tool_call':
      return [{ voice: 'call', text: `[call ${block.name}]\n${block.malformed ?? renderArguments(block.input)}` }];
    case 'thinking':
      return [];
  }
}

/** Arguments as `key: value` with strings as they are: escaped line ends would hide lines from search and from the reader. */
export function renderArguments(input: Json): string {
  if (!isObject(input)) return plain(input);
  return Object.entries(input)
    .map(([key, value]) => (typeof value === 'string' && value.includes('\n') ? `${key}:\n${value}` : `${key}: ${plain(value ?? null)}`))
    .join('\n');
}

const plain = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

function whoOf({ message, origin }: LogMessage, calls: CallsById): string {
  if (message.role === 'assistant') return 'assistant';
  if (message.role === 'user') return origin === 'user' ? 'user' : `user (${origin})`;
  const call = calls.get(message.callId);
  const asked = call === undefined ? '' : ` ${describeArguments(call)}`;
  return `result of ${message.name}${message.failed ? ' (failed)' : ''}${asked}`;
}

const BRIEF = 160;

/** A call's arguments in a line. */
export const describeArguments = ({ input, malformed }: ToolCall): string =>
  clip(
    (
      malformed ??
      (isObject(input)
        ? Object.values(input)
            .map((value) => plain(value ?? null))
            .join(' ')
        : plain(input))
    )
      .slice(0, 4 * BRIEF)
      .replaceAll(/\s+/g, ' '),
    BRIEF,
    () => '…',
  );

function foreignIn(message: Message): string[] {
  const fallback = message.role === 'tool' ? message.name : 'a message from outside';
  const sources = message.content.flatMap((block) =>
    block.trust === 'foreign' ? [(block.type === 'text' ? block.source : undefined) ?? fallback] : [],
  );
  return [...new Set(sources)];
}

/** Spans the view shows as a summary; a span inside a later one is left out. */
export function listCompactedSpans(entries: readonly Entry[]): readonly (EntryHead & CompactionEntry)[] {
  const all = entries.filter((entry): entry is EntryHead & CompactionEntry => entry.type === 'compaction');
  return all.filter((span, index) => !all.slice(index + 1).some((later) => later.fromSeq <= span.fromSeq && later.toSeq >= span.toSeq));
}

/** Whether the model no longer sees a row itself. */
export function createOutOfViewCheck(entries: readonly Entry[]): (seq: number) => boolean {
  const spans = listCompactedSpans(entries);
  return (seq) => spans.some(({ fromSeq, toSeq }) => seq >= fromSeq && seq <= toSeq);
}
