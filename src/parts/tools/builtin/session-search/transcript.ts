import {
  isMessageEntry,
  type CompactionEntry,
  type Entry,
  type EntryHead,
  type EntryOrigin,
  type LogMessage,
} from '../../../../contracts/entry.ts';
import { joinTextBlocks, type Message } from '../../../../contracts/message.ts';

/** Our own texts for the model are no part of what was said. */
const OURS: ReadonlySet<EntryOrigin> = new Set(['nudge', 'summary']);

export const collectMessages = (entries: readonly Entry[]): LogMessage[] =>
  entries.filter(isMessageEntry).filter(({ origin, message }) => !OURS.has(origin) && saysSomething(message));

const saysSomething = (message: Message): boolean =>
  message.role === 'tool' ||
  message.content.some((block) => block.type !== 'thinking' && (block.type !== 'text' || block.text.trim() !== ''));

/** The message at a place of the log or, where none is shown there, the nearest after it. */
export function indexNear(said: readonly LogMessage[], seq: number): number {
  const index = said.findIndex((each) => each.seq >= seq);
  return index < 0 ? said.length - 1 : index;
}

/**
 * Whether a message can be read in the view of the running session. A branch begins with a copy of its parent's log, so a
 * message of another session counts as seen when the same words stand in the view.
 */
export function createInViewCheck(running: string, entries: readonly Entry[]): (said: LogMessage) => boolean {
  const spans = entries.filter((entry): entry is EntryHead & CompactionEntry => entry.type === 'compaction');
  const covered = (seq: number) => spans.some(({ fromSeq, toSeq }) => seq >= fromSeq && seq <= toSeq);
  const visible = entries.filter(isMessageEntry).filter(({ seq }) => !covered(seq));
  const words = new Set(visible.map(({ message }) => joinTextBlocks(message)));
  return ({ sessionId, seq, message }) => (sessionId === running ? !covered(seq) : words.has(joinTextBlocks(message)));
}

/** Where the words of these messages come from, as far as they come from outside. */
export const listForeignSources = (said: readonly LogMessage[]): string[] => [
  ...new Set(
    said.flatMap(({ sessionId, message }) =>
      message.content
        .filter((block) => block.trust === 'foreign')
        .map((block) => (block.type === 'text' && block.source !== undefined ? block.source : `session ${sessionId}`)),
    ),
  ),
];
