import { isMessageEntry, type CompactionEntry, type Entry, type OutcomeEntry, type LogMessage } from '../../../../contracts/entry.ts';
import type { FileBlock, ImageBlock } from '../../../../contracts/message.ts';
import { estimateMessageTokens, estimateTextTokens } from '../../view/tokens.ts';
import { clipTokens, joinMessageText } from '../rows/blocks.ts';
import { isSaid } from '../rows/rows.ts';
import {
  ACTIVE_NONE,
  ATTACHED,
  describeUnattached,
  REQUEST_ANSWERED,
  REQUEST_BELOW,
  REQUEST_OPEN,
  REQUEST_SHOWN,
  REQUEST_WHOLE,
  describeEndedRequest,
  describeShortenedRequest,
  describeUnfinishedTasks,
} from './words.ts';

/** What a message that is still in view may take here: enough to know it again. */
const REMINDER_TOKENS = 500;

export type Attachment = ImageBlock | FileBlock;
export interface ActiveTask {
  readonly text: string;
  /** Images and files of the request that have left the view: they are shown with the notes. */
  readonly attached: readonly Attachment[];
  /** Entries whose words stand in it. */
  readonly seqs: ReadonlySet<number>;
  /** The model sees only a part of it. */
  readonly isCut: boolean;
  /** Its turn runs. */
  readonly open: boolean;
  readonly tokens: number;
}
export interface TaskOptions {
  /** What it may take; `Infinity` where it is to be kept whole. */
  readonly cap: number;
  /** Whether the newest list has open tasks. */
  readonly tasks: boolean;
  readonly recall?: string | undefined;
}

/** The latest request and what was said into it since. */
export function findLatestRequest(entries: readonly Entry[]): readonly LogMessage[] {
  const rows = entries.filter((entry): entry is LogMessage => isMessageEntry(entry) && isSaid(entry));
  const opener = rows.findLastIndex(({ origin }) => origin !== 'steer');
  return rows.slice(Math.max(opener, 0));
}

/** What a message of the request takes in the notes when it is kept whole. */
export const estimateFullTokens = ({ message }: LogMessage): number =>
  estimateTextTokens(joinMessageText(message)) + attachedTokens(attachments(message));

/** The latest request as far as it leaves the view, word for word and with its images: no model decides what the task is. */
export function renderActiveTask(
  entries: readonly Entry[],
  { fromSeq, toSeq }: Pick<CompactionEntry, 'fromSeq' | 'toSeq'>,
  { cap, tasks, recall }: TaskOptions,
): ActiveTask {
  const request = findLatestRequest(entries);
  const [first] = request;
  if (first === undefined)
    return { text: ACTIVE_NONE, attached: [], seqs: new Set(), isCut: false, open: false, tokens: estimateTextTokens(ACTIVE_NONE) };
  const ended = entries.findLast((entry): entry is Entry & OutcomeEntry => entry.type === 'outcome' && entry.seq > first.seq);
  const leaving = request.filter(({ seq }) => seq >= fromSeq && seq <= toSeq);
  const blocks = leaving.flatMap(({ message }) => attachments(message));
  const attached = fitting(blocks, cap / 2);
  const said = request.map((row) =>
    leaving.includes(row) ? joinMessageText(row.message) : clipTokens(joinMessageText(row.message), REMINDER_TOKENS),
  );
  const words = wordsWithin(said, leaving.length === 0 ? REMINDER_TOKENS : cap - attachedTokens(attached));
  const cut = leaving.filter((row) => !words.includes(joinMessageText(row.message))).map(({ seq }) => seq);
  const manner = leaving.length === 0 ? REQUEST_BELOW : cut.length === 0 ? REQUEST_WHOLE : describeShortenedRequest(cut, recall);
  const intro = [stateOf(ended, tasks, leaving.length === 0), ...attachedWords(attached.length, blocks.length), manner].join(' ');
  const text = [intro, ...words].join('\n\n');
  const seqs = new Set(request.map(({ seq }) => seq));
  return {
    text,
    attached,
    seqs,
    isCut: cut.length > 0,
    open: ended === undefined,
    tokens: estimateTextTokens(text) + attachedTokens(attached),
  };
}

function stateOf(ended: OutcomeEntry | undefined, tasks: boolean, shown: boolean): string {
  // Of one in view the messages themselves say how it stands.
  if (ended === undefined) return shown ? REQUEST_SHOWN : REQUEST_OPEN;
  const { outcome, exitReason } = ended;
  const how = outcome === 'answered' ? outcome : `${outcome}, ${exitReason.replaceAll('_', ' ')}`;
  return tasks ? describeUnfinishedTasks(how) : outcome === 'answered' ? REQUEST_ANSWERED : describeEndedRequest(how);
}

const attachments = ({ content }: LogMessage['message']): readonly Attachment[] =>
  content.filter((block) => block.type === 'image' || block.type === 'file');
const attachedTokens = (content: readonly Attachment[]): number =>
  content.length === 0 ? 0 : estimateMessageTokens({ role: 'user', content });
const attachedWords = (shown: number, all: number): string[] => [
  ...(shown === 0 ? [] : [ATTACHED]),
  ...(shown === all ? [] : [describeUnattached(all - shown)]),
];

function fitting(blocks: readonly Attachment[], budget: number): readonly Attachment[] {
  let spent = 0;
  return blocks.filter((block) => (spent += attachedTokens([block])) <= budget);
}

/** The fewest tokens anybody's words get. */
const LEAST_TOKENS = 40;

/** The latest words and the request itself come first; what was said between them shares the rest. Nobody's are left out. */
function wordsWithin(said: readonly string[], cap: number): string[] {
  const words = [...said];
  const last = words.length - 1;
  const order = [last, ...(last > 0 ? [0] : []), ...words.keys().filter((place) => place > 0 && place < last)];
  let left = cap;
  for (const [turn, place] of order.entries()) {
    const given = clipTokens(words[place] ?? '', Math.max(turn === last ? left : left / 2, LEAST_TOKENS));
    left -= estimateTextTokens(given);
    words[place] = given;
  }
  return words;
}
