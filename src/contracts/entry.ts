import type { ToolDetails } from './details.ts';

import type { AssistantMessage, Message, TextBlock, ToolMessage, Usage, UserMessage } from './message.ts';
import type { EndReason, ExitReason, Outcome } from './outcome.ts';
import type { PromptEpoch, SessionPlace } from './prompt.ts';
import type { Runtime } from './runtime.ts';

/** One row of a session log. Append-only: an entry is never changed or removed, a later one may change the view. */
export type Entry = EntryHead & EntryBody;

export interface EntryHead {
  readonly id: string;
  readonly sessionId: string;
  /** Position in the session, from 1, without gaps. */
  readonly seq: number;
  /** The turn it belongs to; absent for entries between turns. */
  readonly turnId?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly origin: EntryOrigin;
}

/** Who caused an entry, so that nothing is later recognised by its wording. */
export type EntryOrigin = 'user' | 'model' | 'tool' | 'nudge' | 'summary' | 'cron' | 'hook' | 'steer' | 'system';

/** Who can send a message that opens a turn; `system` is hermes itself, with news the owner did not write. */
export type SenderOrigin = Extract<EntryOrigin, 'user' | 'cron' | 'hook' | 'system'>;

export type EntryBody = MessageEntry | EpochEntry | CompactionEntry | ModelChangeEntry | NoteEntry | OutcomeEntry | RewindEntry;

export interface MessageEntry {
  readonly type: 'message';
  readonly message: UserMessage | AssistantMessage | ToolMessage;
  /** Call-time text (recalled memory, overlays) sent with this message and again byte for byte; not searched, summarised or exported. */
  readonly wireOnly?: readonly TextBlock[];
  /** Whole messages sent before this one (prefill); wire-only in the same sense. */
  readonly wireBefore?: readonly Message[];
  /** Where the session works from this message on, told beside it because it is not where the prompt says. */
  readonly place?: SessionPlace;
  /** What a message of a user repeats of earlier ones, as mails do; for readers of the log. Never on a wire, not searched or summarised. */
  readonly quoted?: string;
  /** What the call behind a tool message did, for faces alone; never on a wire, not searched, summarised, recalled or exported as data. */
  readonly details?: ToolDetails;
  /** The tool that was meant, where the call behind a tool message came through another. */
  readonly tool?: string;
  /** How long the call behind a tool message ran, in milliseconds, without the time somebody took to consent; for faces alone, as `details`. Absent where no call ran and in logs of earlier versions. */
  readonly ms?: number;
}
/** A new prompt: system text and tool table as they go on the wire from here on. The first entry of every session. */
export interface EpochEntry {
  readonly type: 'epoch';
  readonly epoch: PromptEpoch;
  /** What made it necessary: 'start', 'model changed', 'toolset changed', 'rebuilt by the user'. */
  readonly cause: string;
}
/** From here on the view replaces the messages of the span by the summary. The rows stay. */
export interface CompactionEntry {
  readonly type: 'compaction';
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly summary: Message;
  /** What it took and what it saved; absent in logs of earlier versions. */
  readonly report?: CompactionReport;
}
/** One structured record of a compaction, tried or done. */
export interface CompactionReport {
  readonly engine: string;
  readonly reason: string;
  /** `summary` by a model, `digest` made mechanically because the window forced it, `refused` when the old view stayed. */
  readonly outcome: 'summary' | 'digest' | 'refused';
  /** What came of it more closely, so that nobody reads it out of words; absent in logs of earlier versions. */
  readonly kind?: CompactionKind;
  readonly why?: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly messagesBefore: number;
  readonly messagesAfter: number;
  /** The window cannot hold the latest request: the model sees a part of it. */
  readonly requestShortened?: true;
  readonly ms: number;
  readonly model?: string;
  readonly usage?: Usage;
  readonly price?: number;
}
/** Notes by a model, notes without one, a bare line in place of what went; or why the old view stayed. */
export type CompactionKind = 'summary' | 'digest' | 'window' | CompactionRefusal;
export type CompactionRefusal = 'failed' | 'invalid' | 'too_large' | 'hopeless' | 'stopped';
export interface ModelChangeEntry {
  readonly type: 'model_change';
  readonly from: Runtime;
  readonly to: Runtime;
  readonly cause: string;
}
/** Something a reader of the log should know; the model does not see it. */
export interface NoteEntry {
  readonly type: 'note';
  readonly text: string;
  /** What the note asks of the next turn: to begin with a newly rendered prompt. */
  readonly asks?: 'new_prompt';
  /** A compaction that was tried and refused: the old view stayed. */
  readonly compaction?: CompactionReport;
  /** No compaction was tried although the view is large; told once a session. */
  readonly declined?: true;
  /** A provider refused signatures of its own: what stands above is sent without them from now on. */
  readonly signatures?: 'refused';
  /** Before the session ends for this reason its model is asked what to remember of all up to here: it is not asked about that again. */
  readonly flush?: EndReason;
  /** It was asked ahead of time: the session does not end with it. */
  readonly goesOn?: true;
}
/** How a turn ended. Names the messages that hold the answer and repeats no text. */
export interface OutcomeEntry {
  readonly type: 'outcome';
  readonly outcome: Outcome['type'];
  readonly exitReason: ExitReason;
  /** The message that holds the answer, or its end when it came in pieces. */
  readonly messageId?: string;
  /** Entry ids of all pieces, in order, when there are several. */
  readonly parts?: readonly string[];
  /** Said by us, not by the model: present only when no message holds the text. */
  readonly notice?: string;
}

/**
 * Takes back everything between `toSeq` and itself (undo, retry, edit and send again). The rows stay in the log, and search
 * and export mark them; they are gone from every view, from recall and from what tools remember, as if they had never been
 * said. What they cost stays in the ledger, and what they did to files stays as it is.
 *
 * `toSeq` is the position right before a message that opened a turn and still stands, so that roles alternate and every call
 * has its result: a prompt epoch made for that very turn stays in force, one made later does not. Between turns only.
 */
export interface RewindEntry {
  readonly type: 'rewind';
  readonly toSeq: number;
}

/** An entry as a writer hands it in; the store adds id, session, position and time. */
export type NewEntry = EntryBody & { readonly origin: EntryOrigin; readonly id?: string };

/** A message as the log has it. */
export type LogMessage = EntryHead & MessageEntry;

export const isMessageEntry = (entry: Entry): entry is LogMessage => entry.type === 'message';

/** The part of a log that stands: without what was taken back, and without the rewinds themselves. Whoever makes a view, or remembers what was said, reads this. */
export function dropRewound(entries: readonly Entry[]): readonly Entry[] {
  if (!entries.some(({ type }) => type === 'rewind')) return entries;
  const visible: Entry[] = [];
  for (const entry of entries) applyEntry(visible, entry);
  return visible;
}

/** Lets the part of a log that stands follow its next entry. */
export function applyEntry(visible: Entry[], entry: Entry): void {
  if (entry.type !== 'rewind') visible.push(entry);
  else visible.length = visible.findLastIndex(({ seq }) => seq <= entry.toSeq) + 1;
}

/** Whether a position was taken back by a later rewind. */
export function createRewoundCheck(entries: readonly Entry[]): (seq: number) => boolean {
  const rewinds = entries.filter((entry): entry is EntryHead & RewindEntry => entry.type === 'rewind');
  return (seq) => rewinds.some((rewind) => rewind.toSeq < seq && seq < rewind.seq);
}
