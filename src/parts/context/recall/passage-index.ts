import { isMessageEntry, type Entry, type LogMessage } from '../../../contracts/entry.ts';
import { joinTextBlocks, type ToolCall } from '../../../contracts/message.ts';
import { cutRow, type CutSection, type Passage } from './passages.ts';
import { describeArguments, listToolCalls, toRecallRow, TOOL_NAME, type CallsById, type RecallRow } from './rows.ts';
import { splitRuns, extractTerms } from './terms.ts';

/** An inverted index of one session's log. Grows with the log: a row is read once. */
export interface PassageIndex {
  readonly passages: readonly Passage[];
  /** Length of each passage in terms. */
  readonly lengths: readonly number[];
  readonly averageLength: number;
  readonly calls: CallsById;
  /** Rows that were tokenised since the index began. */
  readonly rowsRead: number;
  /** Passages that hold a term, each as `passage × PACK + weight`. */
  postings(term: string): readonly number[];
  terms(): Iterable<string>;
  /** Takes in what the log holds beyond the last call; false when this is not the log it was built from. */
  follow(entries: readonly Entry[]): boolean;
}

/** Room for a weight beside a passage's number: one number a posting keeps a large log small. */
export const PACK = 64;
/** A term of the passage itself weighs so many units of one that only led to it. */
export const OWN = 4;
const LED = 1;
/** Characters of what came before a passage that help to find it. */
const LEAD = 240;

interface PassageTables {
  readonly passages: Passage[];
  readonly lengths: number[];
  /** Each term has a number, which is the place of its postings. */
  readonly vocabulary: Map<string, number>;
  readonly postings: number[][];
  /** What the passage at hand has of each term; all zero between passages. */
  readonly weights: number[];
  /** Each run is taken apart once. */
  readonly known: Map<string, readonly number[]>;
  readonly calls: Map<string, ToolCall>;
  /** The last words said, which a short answer is about. */
  said: string;
  lastSeq: number;
  lastId: string;
  rowsRead: number;
  total: number;
}

export function createPassageIndex(): PassageIndex {
  const books = emptyBooks();
  return {
    passages: books.passages,
    lengths: books.lengths,
    calls: books.calls,
    get averageLength() {
      return books.passages.length === 0 ? 1 : books.total / books.passages.length;
    },
    get rowsRead() {
      return books.rowsRead;
    },
    postings: (term) => books.postings[books.vocabulary.get(term) ?? -1] ?? [],
    terms: () => books.vocabulary.keys(),
    follow: (entries) => follow(books, entries),
  };
}

const emptyBooks = (): PassageTables => ({
  passages: [],
  lengths: [],
  vocabulary: new Map(),
  postings: [],
  weights: [],
  known: new Map(),
  calls: new Map(),
  said: '',
  lastSeq: 0,
  lastId: '',
  rowsRead: 0,
  total: 0,
});

function follow(books: PassageTables, entries: readonly Entry[]): boolean {
  const from = entries.findLastIndex(({ seq }) => seq <= books.lastSeq) + 1;
  const before = entries[from - 1];
  if (books.lastSeq > 0 && (before?.seq !== books.lastSeq || before.id !== books.lastId)) return false;
  for (const entry of entries.slice(from)) take(books, entry);
  const last = entries.at(-1);
  if (last !== undefined) [books.lastSeq, books.lastId] = [last.seq, last.id];
  return true;
}

function take(books: PassageTables, entry: Entry): void {
  for (const call of listToolCalls(entry)) books.calls.set(call.id, call);
  if (!isMessageEntry(entry) || isOurEcho(entry)) return;
  const row = toRecallRow(entry, books.calls);
  books.rowsRead++;
  for (const cut of cutRow(row)) addSection(books, row, cut, leadOf(books, entry, cut));
  const words = entry.message.role === 'tool' ? '' : joinTextBlocks(entry.message).trim();
  if (words !== '') books.said = words.slice(-LEAD);
}

/** An answer of this tool, or an assistant row that only asks for one, repeats the question and not the fact. */
export function isOurEcho({ message }: LogMessage): boolean {
  if (message.role === 'tool') return message.name === TOOL_NAME;
  const calls = message.role === 'assistant' ? message.content.filter((block) => block.type === 'tool_call') : [];
  return calls.length > 0 && calls.every(({ name }) => name === TOOL_NAME) && joinTextBlocks(message).trim() === '';
}

/** What led to a section: the command behind a result, the words before a call, the question before an answer. */
function leadOf(books: PassageTables, { message }: LogMessage, { section }: CutSection): string {
  if (message.role === 'tool') {
    const call = books.calls.get(message.callId);
    return call === undefined ? message.name : `${message.name} ${describeArguments(call)}`;
  }
  return section.voice === 'call' ? joinTextBlocks(message).slice(-LEAD) : books.said;
}

function addSection(books: PassageTables, row: RecallRow, { lines, passages }: CutSection, lead: string): void {
  const byLine = lines.map(({ start, end }) => termsIn(books, row.text.slice(start, end)));
  const led = termsIn(books, lead);
  for (const { from, to, passage } of passages) addPassage(books, passage, byLine.slice(from, to), led);
}

function addPassage(books: PassageTables, passage: Passage, lines: readonly (readonly number[])[], led: readonly number[]): void {
  const { weights, postings } = books;
  const own = lines.flat();
  const met: number[] = [];
  const weigh = (term: number, more: number) => {
    const before = weights[term] ?? 0;
    if (before === 0) met.push(term);
    weights[term] = before + more;
  };
  for (const term of own) weigh(term, OWN);
  for (const term of led) if (weights[term] === 0) weigh(term, LED);
  const number = books.passages.push(passage) - 1;
  books.lengths.push(own.length);
  books.total += own.length;
  for (const term of met) {
    postings[term]?.push(number * PACK + Math.min(weights[term] ?? 0, PACK - 1));
    weights[term] = 0;
  }
}

/** The numbers of a text's terms. */
function termsIn(books: PassageTables, text: string): number[] {
  const found: number[] = [];
  for (const run of splitRuns(text)) for (const term of numbersOf(books, run)) found.push(term);
  return found;
}

function numbersOf(books: PassageTables, run: string): readonly number[] {
  const known = books.known.get(run);
  if (known !== undefined) return known;
  const { whole, words } = extractTerms(run);
  const numbers = [...whole, ...words].map((term) => numberOf(books, term));
  books.known.set(run, numbers);
  return numbers;
}

function numberOf({ vocabulary, postings, weights }: PassageTables, term: string): number {
  const known = vocabulary.get(term);
  if (known !== undefined) return known;
  const fresh = postings.push([]) - 1;
  weights.push(0);
  vocabulary.set(term, fresh);
  return fresh;
}
