import { LineCursor } from './line-cursor.ts';
import type { SimpleCommand, Step } from './simple-command.ts';

interface Draft extends SimpleCommand {
  readonly words: string[];
  readonly writes: string[];
  readonly fed: string[];
}

/** A here-document whose text begins on the next line. */
interface Announced {
  readonly end: string;
  readonly dashed: boolean;
  readonly quoted: boolean;
  readonly fed: string[];
}

/** Reads commands up to the closing character. It is handed in, because what stands inside a word is read by it again. */
export type Walk = (reading: Reading, close: '' | ')') => boolean;

/** Deeper than anybody nests; beyond it a line counts as unreadable. */
const MAX_NESTING = 40;
/** Words after which a test in `[[ ]]` may begin. */
const OPENERS = new Set(['if', 'elif', 'while', 'until', '!', 'then', 'do', 'else']);

export const freshDraft = (piped: boolean): Draft => ({ words: [], writes: [], fed: [], piped });

/** How far a line has been read: the steps so far, and the command and the word that are still open. */
export class Reading extends LineCursor {
  readonly steps: Step[] = [];
  readonly walk: Walk;
  nesting: number;
  draft = freshDraft(false);
  word: string | undefined;
  wordQuoted = false;
  /** Where the word goes when it is over. */
  goal: 'words' | 'writes' | 'fed' | 'heredoc' | 'nowhere' = 'words';
  dashed = false;
  waiting: Announced[] = [];
  inTest = false;
  /** How many `((` are open. */
  arithmetic = 0;

  constructor(line: string, nesting: number, walk: Walk) {
    super(line);
    this.nesting = nesting;
    this.walk = walk;
  }

  add(text: string): void {
    this.word = (this.word ?? '') + text;
  }

  /** The word is over: it goes where the last redirection sent it. */
  flush(): true {
    const { word, goal, wordQuoted, draft } = this;
    this.word = undefined;
    this.wordQuoted = false;
    if (word === undefined) return true;
    this.goal = 'words';
    if (goal === 'heredoc') this.waiting.push({ end: word, dashed: this.dashed, quoted: wordQuoted, fed: draft.fed });
    else if (goal === 'words') this.wordOfCommand(word);
    else if (goal !== 'nowhere') draft[goal].push(word);
    return true;
  }
  private wordOfCommand(word: string): void {
    const { draft } = this;
    if ((word === '{' || word === '}') && draft.words.length === 0) return;
    if (word === '[[' && draft.words.every((each) => OPENERS.has(each))) this.inTest = true;
    if (word === ']]') this.inTest = false;
    draft.words.push(word);
  }

  /** The command is over; the next one may be fed by it. */
  end(pipe: boolean): true {
    this.flush();
    this.inTest = false;
    const { draft } = this;
    const empty = draft.words.length + draft.writes.length + draft.fed.length === 0 && !this.waiting.some(({ fed }) => fed === draft.fed);
    if (!empty) this.steps.push({ type: 'command', command: draft });
    this.draft = freshDraft(pipe);
    this.goal = 'words';
    return true;
  }

  /** Reads one level deeper: without a limit a hostile line would overflow the stack. */
  nested(read: () => boolean): boolean {
    if (++this.nesting > MAX_NESTING) return false;
    const done = read();
    this.nesting--;
    return done;
  }

  /** Reads commands in the middle of a word; afterwards the word and its command go on where they stopped. */
  amidWord(read: () => boolean): boolean {
    const { draft, word, goal, wordQuoted, inTest } = this;
    Object.assign(this, { draft: freshDraft(false), word: undefined, goal: 'words', inTest: false });
    const done = read();
    Object.assign(this, { draft, word, goal, wordQuoted, inTest });
    return done;
  }
}
