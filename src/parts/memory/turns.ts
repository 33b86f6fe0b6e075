import { isFencedBy } from '../../base/fence.ts';
import { takeStart } from '../../base/text.ts';
import {
  createRewoundCheck,
  isMessageEntry,
  type Entry,
  type EntryHead,
  type LogMessage,
  type OutcomeEntry,
} from '../../contracts/entry.ts';
import type { MemoryScope, SyncedTurn } from '../../contracts/memory-provider.ts';
import { isProjectSource, joinNonForeignText, joinTextBlocks, type Message, type TextBlock } from '../../contracts/message.ts';

/** A turn, and where in the log it ended. */
export interface TurnToTell {
  readonly seq: number;
  readonly turn: SyncedTurn;
}
type FinishedTurn = EntryHead & OutcomeEntry;

/** Characters of each side that are told. */
const MAX_WORDS = 100_000;
/** The person broke these off: what was said in them is half of something. */
const BROKEN_OFF: ReadonlySet<string> = new Set(['interrupted', 'terminated']);

/**
 * The turns of a log that are over and have an answer of the model's, behind a position, in order. What was taken back is not
 * told. Pure over the log: the same turn is told with the same words and the same key, whoever tells it.
 */
export function collectTurns(entries: readonly Entry[], after: number, scope: MemoryScope): readonly TurnToTell[] {
  const isRewound = createRewoundCheck(entries);
  return entries.flatMap((entry): TurnToTell[] => {
    if (entry.type !== 'outcome' || entry.seq <= after || isRewound(entry.seq)) return [];
    const turn = readTurn(entry, entries, scope);
    return turn === undefined ? [] : [{ seq: entry.seq, turn }];
  });
}

function readTurn(outcome: FinishedTurn, entries: readonly Entry[], scope: MemoryScope): SyncedTurn | undefined {
  const { turnId, messageId, parts, exitReason, seq, at } = outcome;
  if (turnId === undefined || messageId === undefined || BROKEN_OFF.has(exitReason)) return undefined;
  const pieces = new Set(parts ?? [messageId]);
  const said = entries.filter(isMessageEntry);
  const asked = said.filter((entry) => entry.turnId === turnId && entry.message.role === 'user' && !OURS.has(entry.origin));
  const foreign = collectForeign(entries.filter((entry) => entry.seq <= seq));
  const words = (message: Message): string => (scope.isOwner ? joinNonForeignText(message) : joinTextBlocks(message));
  return {
    ...scope,
    key: `${scope.sessionId}/${turnId}`,
    turnId,
    at,
    userMessage: takeStart(
      asked
        .map(({ message }) => words(message))
        .join('\n\n')
        .trim(),
      MAX_WORDS,
    ),
    assistantResponse: takeStart(
      said
        .filter(({ id }) => pieces.has(id))
        .map(({ message }) => joinTextBlocks(message))
        .join(''),
      MAX_WORDS,
    ),
    foreign,
    foreignWhenAsked: isTyped(asked) ? collectForeignWhenAsked(asked, entries) : foreign,
  };
}

/** User messages that are words of ours. */
const OURS: ReadonlySet<string> = new Set<Entry['origin']>(['nudge', 'summary']);
/** User messages that a person sends. */
const PERSONS: ReadonlySet<string> = new Set<Entry['origin']>(['user', 'steer']);

/** Whether all that is told as the person's words was written by them: an attachment is not, and no news of a program. */
const isTyped = (asked: readonly LogMessage[]): boolean =>
  asked.length > 0 &&
  asked.every(
    ({ origin, message }) =>
      PERSONS.has(origin) &&
      message.content.every((block) => block.type !== 'text' || block.trust === 'owner' || block.trust === 'foreign'),
  );

/** Where foreign words came from that the model had in view at the end of this log. What a summary stands for is what its label says. */
function collectForeign(entries: readonly Entry[]): readonly string[] {
  const isRewound = createRewoundCheck(entries);
  const standing = entries.filter(({ seq }) => !isRewound(seq));
  const spans = standing.filter((entry) => entry.type === 'compaction');
  const isCovered = (seq: number): boolean => spans.some(({ fromSeq, toSeq }) => fromSeq <= seq && seq <= toSeq);
  const sources = standing.flatMap((entry) => {
    if (isCovered(entry.seq)) return [];
    if (entry.type === 'compaction') return foreignIn(entry.summary);
    return isMessageEntry(entry) ? [...foreignIn(entry.message), ...foreignBeside(entry)] : [];
  });
  return [...new Set(sources)].filter((source) => !isProjectSource(source));
}

/**
 * The same for the person, when they wrote the last of these messages. What memory recalls is shown to the model alone, so it says
 * nothing of their words. A summary counts by what its label names besides the messages it stands for, which are all here.
 */
function collectForeignWhenAsked(asked: readonly LogMessage[], entries: readonly Entry[]): readonly string[] {
  const until = entries.filter(({ seq }) => seq <= (asked.at(-1)?.seq ?? 0));
  const isRewound = createRewoundCheck(until);
  const standing = until.filter(({ seq }) => !isRewound(seq));
  const messages = standing.filter(isMessageEntry);
  const read = messages.flatMap((entry) => [...foreignIn(entry.message), ...foreignBeside(entry, (block) => !isRecalled(block))]);
  const known = new Set([...read, ...messages.flatMap((entry) => foreignBeside(entry, isRecalled))].flatMap(splitSources));
  const summarized = standing
    .flatMap((entry) => (entry.type === 'compaction' ? foreignIn(entry.summary) : []))
    .filter((source) => splitSources(source).some((part) => !known.has(part)));
  return [...new Set([...read, ...summarized])].filter((source) => !isProjectSource(source));
}

/** A label names several sources as one text. */
const splitSources = (source: string): readonly string[] => source.split(', ');
/** Other text beside a message begins with words of ours. */
const isRecalled = ({ text }: TextBlock): boolean => isFencedBy('memory-context', text);

function foreignIn(message: Message): string[] {
  const fallback = message.role === 'tool' ? message.name : 'a message from outside';
  return message.content.flatMap((block) =>
    block.trust === 'foreign' ? [block.type === 'text' ? (block.source ?? fallback) : fallback] : [],
  );
}

const foreignBeside = ({ wireOnly = [] }: LogMessage, counts: (block: TextBlock) => boolean = () => true): string[] =>
  wireOnly.flatMap((block) => (block.trust === 'foreign' && counts(block) ? [block.source ?? 'recalled memory'] : []));
