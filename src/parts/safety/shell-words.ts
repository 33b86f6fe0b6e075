import { ansiText, fields, MARK } from './marks.ts';

/** One simple command: its words with quotes taken off and variables still marked, and what goes in and out. */
export interface SimpleCommand {
  readonly words: readonly string[];
  readonly writes: readonly string[];
  /** Text it is fed by here-documents and here-strings. */
  readonly fed: readonly string[];
  /** Its input is the output of the command before it. */
  readonly piped: boolean;
}
/** A line in the order it runs. What is entered is a shell of its own: where it goes and what it sets ends with it. */
export type Step = { readonly type: 'command'; readonly command: SimpleCommand } | { readonly type: 'enter' | 'leave' };

interface Draft extends SimpleCommand {
  readonly words: string[];
  readonly writes: string[];
  readonly fed: string[];
}

/** Deeper than anybody nests; beyond it a line counts as unreadable. */
const MAX_NESTING = 40;
/** Longer texts of a substitution are not followed. */
const MAX_LITERAL = 1_000;
const OPENERS = new Set(['if', 'elif', 'while', 'until', '!', 'then', 'do', 'else']);

/** The steps of a line; `undefined` when quoting does not close: what cannot be read must not be trusted. */
export function shellSteps(line: string): readonly Step[] | undefined {
  const reader = new Reader(line, 0);
  return reader.list('') ? reader.steps : undefined;
}

/** Reads a line once from left to right. */
class Reader {
  readonly steps: Step[] = [];
  private at = 0;
  private readonly line: string;
  private nesting: number;
  private draft = fresh(false);
  private word: string | undefined;
  private goal: 'words' | 'writes' | 'fed' | 'heredoc' | 'nowhere' = 'words';
  private waiting: { readonly end: string; readonly dashed: boolean; readonly quoted: boolean; readonly fed: string[] }[] = [];
  private wordQuoted = false;
  private inTest = false;
  private arithmetic = 0;

  constructor(line: string, nesting: number) {
    this.line = line;
    this.nesting = nesting;
  }

  /** Commands up to the closing character, or to the end of the line when there is none. */
  list(close: '' | ')'): boolean {
    if (++this.nesting > MAX_NESTING) return false;
    while (this.at < this.line.length) {
      if (close !== '' && this.line[this.at] === close) break;
      if (!this.piece()) return false;
    }
    this.end(false);
    this.nesting--;
    return close === '' || this.line[this.at++] === close;
  }

  private piece(): boolean {
    const char = this.line[this.at] ?? '';
    const quote = QUOTES[char];
    if (quote !== undefined) return this[quote]();
    if (char === '#' && this.word === undefined && this.arithmetic === 0) return this.skip(/[^\n]*/y);
    if (/\s/.test(char)) return this.space(char);
    if (';&|()<>'.includes(char)) return this.operator(char);
    this.add(this.take(/[^\s;&|<>()'"`\\$]+/y));
    return true;
  }

  private space(char: string): boolean {
    this.at++;
    if (char !== '\n') return this.flush();
    this.end(false);
    return this.hereDocuments();
  }

  private operator(char: string): boolean {
    if (/^[<>]\(/.test(this.line.slice(this.at, this.at + 2))) return this.substitution(2, false, false);
    if ((this.inTest || this.arithmetic > 0) && '<>&|'.includes(char)) return this.flush() && this.skip(/[<>&|]/y);
    if (char === '<' || char === '>' || this.line.startsWith('&>', this.at)) return this.redirection();
    if (char === '(') return this.group();
    if (char === ')') {
      this.at++;
      return this.end(false);
    }
    const mark = this.take(/\|&|\|\||&&|;+&?|[|&]/y);
    return this.end(mark === '|' || mark === '|&');
  }

  private redirection(): boolean {
    if (/^\d+$/.test(this.word ?? '')) this.word = undefined;
    this.flush();
    const mark = this.take(/&>>?|>>|>[|&]?|<<<|<<-?|<>|<&?/y);
    this.goal = mark.includes('>') ? 'writes' : mark === '<<<' ? 'fed' : mark.startsWith('<<') ? 'heredoc' : 'nowhere';
    if (mark.startsWith('<<') && mark !== '<<<') this.dashed = mark.endsWith('-');
    return true;
  }
  private dashed = false;

  private group(): boolean {
    const arithmetic = this.line.startsWith('((', this.at) && (this.word === undefined || this.word === '');
    const array = this.word?.endsWith('=') === true;
    if (array) this.word += MARK.unknown;
    const { piped } = this.draft;
    if (array) this.flush();
    else this.end(this.draft.words.length === 0 && this.word === undefined && piped);
    const outer = this.draft;
    this.at++;
    this.draft = fresh(!array && outer.piped);
    if (array) this.draft.words.push(':');
    const done = this.inside(arithmetic);
    this.draft = array ? outer : fresh(false);
    return done;
  }

  /** What stands in parentheses, up to and with the closing one. */
  private inside(arithmetic: boolean): boolean {
    this.steps.push({ type: 'enter' });
    if (arithmetic) this.arithmetic++;
    const done = this.list(')');
    if (arithmetic) this.arithmetic--;
    this.steps.push({ type: 'leave' });
    return done;
  }

  /** A command whose output becomes part of a word: its text when it is a plain echo, unknown otherwise. */
  private substitution(opening: number, quoted: boolean, literal = true): boolean {
    const kept = { draft: this.draft, word: this.word, goal: this.goal, wordQuoted: this.wordQuoted, inTest: this.inTest };
    const arithmetic = this.line.startsWith('$((', this.at);
    const first = this.steps.length;
    this.at += opening;
    Object.assign(this, { draft: fresh(false), word: undefined, goal: 'words', inTest: false });
    const done = this.inside(arithmetic);
    Object.assign(this, kept);
    this.add(literal ? said(this.steps, first, quoted) : MARK.unknown);
    return done;
  }

  protected single(): boolean {
    return this.quotedText(/'([^']*)'/y, (text) => text);
  }
  protected escaped(): boolean {
    if (this.line[this.at + 1] === '\n') return this.skip(/\\\n/y);
    return this.quotedText(/\\([\s\S])/y, (text) => text);
  }
  private quotedText(pattern: RegExp, decode: (text: string) => string): boolean {
    const found = this.match(pattern);
    if (found === null) return false;
    this.wordQuoted = true;
    this.add(decode(found[1] ?? '').replaceAll('$', MARK.dollar));
    return true;
  }

  protected double(): boolean {
    this.at++;
    this.wordQuoted = true;
    this.add('');
    return this.text('"');
  }

  /** Text in which only variables and substitutions mean something, up to the closing character. */
  private text(close: '"' | '}' | ''): boolean {
    while (this.at < this.line.length) {
      const char = this.line[this.at] ?? '';
      if (char === close) return this.skip(/[\s\S]/y);
      if (char === '$' ? !this.variable(true) : char === '`' && !this.backtick(true)) return false;
      if (char === '\\') this.add((this.match(/\\([\s\S]?)/y)?.[1] ?? '').replace('$', MARK.dollar));
      else if (char !== '$' && char !== '`') this.add(this.take(close === '}' ? /[^}\\$`]+/y : close === '"' ? /[^"\\$`]+/y : /[^\\$`]+/y));
    }
    return close === '';
  }

  protected dollar(): boolean {
    if (this.line.startsWith("$'", this.at)) return this.quotedText(/\$'((?:\\[\s\S]|[^'\\])*)'/y, ansiText);
    return this.line.startsWith('$"', this.at) ? this.skip(/\$/y) : this.variable(false);
  }
  private variable(quoted: boolean): boolean {
    if (this.line.startsWith('$(', this.at)) return this.substitution(2, quoted);
    const simple = this.match(/\$(\{\w+\}|[A-Za-z_]\w*|[0-9@*#?!$-])/y);
    if (simple !== null) this.add((quoted ? MARK.quoted : '$') + braced(simple[1] ?? ''));
    else if (this.line.startsWith('${', this.at)) return this.modified();
    else this.add(this.take(/\$/y) && MARK.dollar);
    return true;
  }
  /** `${X:-…}`: what comes out is not followed, what stands inside may run. */
  private modified(): boolean {
    if (++this.nesting > MAX_NESTING) return false;
    const before = this.word ?? '';
    this.at += 2;
    const done = this.text('}');
    this.nesting--;
    this.word = before + MARK.unknown;
    return done;
  }

  protected backtick(quoted = false): boolean {
    const found = this.match(/`((?:\\[\s\S]|[^`\\])*)`/y);
    if (found === null) return false;
    const first = this.steps.length;
    if (!this.aside((found[1] ?? '').replace(/\\([`\\$])/g, '$1'), (reader) => reader.list(''))) return false;
    this.add(said(this.steps, first, quoted));
    return true;
  }

  /** Another text that is read in a shell of its own. */
  private aside(text: string, read: (reader: Reader) => boolean): boolean {
    const reader = new Reader(text, this.nesting + 1);
    if (!read(reader)) return false;
    this.steps.push({ type: 'enter' });
    // One by one: a spread of very many would overflow the stack.
    for (const step of reader.steps) this.steps.push(step);
    this.steps.push({ type: 'leave' });
    return true;
  }

  private hereDocuments(): boolean {
    const { waiting } = this;
    this.waiting = [];
    return waiting.every(({ end, dashed, quoted, fed }) => {
      const lines: string[] = [];
      while (this.at < this.line.length) {
        const line = this.take(/[^\n]*/y);
        this.at++;
        if ((dashed ? line.replace(/^\t+/, '') : line) === end) break;
        lines.push(line);
      }
      fed.push(lines.join('\n'));
      return quoted || this.aside(lines.join('\n'), (reader) => reader.text(''));
    });
  }

  private add(text: string): void {
    this.word = (this.word ?? '') + text;
  }

  /** The word is over: it goes where the last redirection sent it. */
  private flush(): boolean {
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

  /** The command is over. A group that begins after a pipe hands its input to its first command. */
  private end(pipe: boolean): boolean {
    this.flush();
    this.inTest = false;
    const { draft } = this;
    const empty = draft.words.length + draft.writes.length + draft.fed.length === 0 && !this.waiting.some(({ fed }) => fed === draft.fed);
    if (!empty) this.steps.push({ type: 'command', command: draft });
    this.draft = fresh(pipe);
    this.goal = 'words';
    return true;
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.line);
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }
  private take(pattern: RegExp): string {
    return this.match(pattern)?.[0] ?? '';
  }
  private skip(pattern: RegExp): boolean {
    this.take(pattern);
    return true;
  }
}

const QUOTES: Readonly<Record<string, 'single' | 'double' | 'escaped' | 'dollar' | 'backtick'>> = {
  "'": 'single',
  '"': 'double',
  '\\': 'escaped',
  $: 'dollar',
  '`': 'backtick',
};
const fresh = (piped: boolean): Draft => ({ words: [], writes: [], fed: [], piped });
const braced = (name: string): string => (/^\w/.test(name) ? `{${name}}` : name);

/** What a substitution puts in its place, when the steps since then are one plain `echo`. */
function said(steps: readonly Step[], first: number, quoted: boolean): string {
  if (steps.length !== first + 3) return MARK.unknown;
  const step = steps[first + 1];
  const text = step?.type === 'command' ? spoken(step.command) : undefined;
  if (text === undefined || text.length > MAX_LITERAL) return MARK.unknown;
  return quoted ? text : fields(text);
}

/** The text `echo` or `printf` puts out, as far as it is plain. */
export function spoken({ words, writes }: SimpleCommand): string | undefined {
  const [name, ...rest] = words;
  if ((name !== 'echo' && name !== 'printf') || writes.length > 0) return undefined;
  return rest.filter((word, index) => index > 0 || !/^-[neE]+$/.test(word)).join(' ');
}
