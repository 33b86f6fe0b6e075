import type { WordPart, Word } from './ast.ts';
import { type LineCursor, UnreadableLine } from './cursor.ts';
import { decodeAnsiCEscapes } from './ansi.ts';
import { readBacktick, readDollar, readEnclosed, type ReadList } from './dollar.ts';

/** What ends a word outside quotes. */
const PLAIN = /[^\s'"\\$`{},*?[\]<>|&;()~#=:]+/y;
/** Brackets of a glob: short, and on one line. */
const BRACKETS = /\[[!^]?\]?(?:\[:\w+:\]|[^\]\s/'"\\$`|&;<>()]){1,60}\]/y;

/** The word that begins here, or `undefined` when none does. */
export function readWord(cursor: LineCursor, list: ReadList): Word | undefined {
  const parts: WordPart[] = [];
  while (!cursor.over && piece(cursor, parts, list));
  return parts.length === 0 ? undefined : { parts };
}

function piece(cursor: LineCursor, parts: WordPart[], list: ReadList): boolean {
  const special = SPECIAL[cursor.char];
  if (special !== undefined) return special(cursor, parts, list);
  const text = cursor.take(PLAIN);
  if (text === '') return false;
  parts.push({ type: 'text', text, quoted: false });
  return true;
}

type ReadWordPart = (cursor: LineCursor, parts: WordPart[], list: ReadList) => boolean;

const SPECIAL: Readonly<Record<string, ReadWordPart>> = {
  "'": (cursor, parts) => {
    const found = cursor.match(/'([^']*)'/y);
    if (found === null) throw new UnreadableLine('open quote');
    parts.push({ type: 'text', text: found[1] ?? '', quoted: true });
    return true;
  },
  '"': (cursor, parts, list) => {
    cursor.at++;
    // Empty quotes are a word as well.
    parts.push({ type: 'text', text: '', quoted: true }, ...readQuotedParts(cursor, '"', list));
    return true;
  },
  '\\': escaped,
  $: (cursor, parts, list) => {
    const ansi = cursor.match(/\$'((?:\\[\s\S]|[^'\\])*)'/y);
    if (ansi !== null) parts.push({ type: 'text', text: decodeAnsiCEscapes(ansi[1] ?? ''), quoted: true });
    else if (cursor.ahead("$'")) throw new UnreadableLine('open quote');
    // `$"…"` is a text to be translated; nobody translates it.
    else if (cursor.ahead('$"')) cursor.at++;
    else parts.push(...readDollar(cursor, false, list, readQuotedParts));
    return true;
  },
  '`': (cursor, parts, list) => {
    parts.push(readBacktick(cursor, false, list));
    return true;
  },
  '{': brace('{'),
  ',': brace(','),
  '}': brace('}'),
  '*': glob(/\*+/y),
  '?': glob(/\?/y),
  '[': (cursor, parts) => {
    const found = cursor.match(BRACKETS);
    if (found === null) return plain(cursor, parts);
    const before = parts.at(-1);
    // A number of a machine: no folder has an address for its name.
    const isHost = before?.type === 'text' && /\/\/(?:[^/]*@)?$/.test(before.text) && /^\[[\da-fA-F:.]+\]$/.test(found[0]);
    parts.push(isHost ? { type: 'text', text: found[0], quoted: true } : { type: 'glob', text: found[0] });
    return true;
  },
  ']': plain,
  '=': plain,
  ':': plain,
  '~': (cursor, parts) => {
    const last = parts.at(-1);
    const begins = last === undefined || (last.type === 'text' && !last.quoted && /[=:]$/.test(last.text));
    const user = begins ? cursor.match(/~([\w.+-]*)(?=[/\s:;|&<>()]|$)/y) : null;
    if (user === null) return plain(cursor, parts);
    parts.push({ type: 'tilde', user: user[1] ?? '' });
    return true;
  },
  '#': (cursor, parts) => (parts.length === 0 ? false : plain(cursor, parts)),
  '<': processPipe,
  '>': processPipe,
  // `@(a|b)`, `!(x)`: a pattern that only the shell's own settings make readable.
  '(': (cursor, parts) => {
    const last = parts.at(-1);
    const opens = last?.type === 'glob' || (last?.type === 'text' && !last.quoted && /[@!+]$/.test(last.text));
    const found = opens ? cursor.match(/\([^()\s]{0,200}\)/y) : null;
    if (found === null) return false;
    const before = parts.pop();
    if (before?.type === 'text' && before.text.length > 1) parts.push({ ...before, text: before.text.slice(0, -1) });
    parts.push({ type: 'glob', text: '*' });
    return true;
  },
};

/** `<( … )` and `>( … )`: what becomes part of the word is the name of a pipe. */
function processPipe(cursor: LineCursor, parts: WordPart[], list: ReadList): boolean {
  if (cursor.line[cursor.at + 1] !== '(') return false;
  const out = cursor.char === '>';
  cursor.at += 2;
  parts.push({ type: 'pipe', body: readEnclosed(cursor, list), out });
  return true;
}

function plain(cursor: LineCursor, parts: WordPart[]): boolean {
  parts.push({ type: 'text', text: cursor.take(/[\s\S]/y), quoted: false });
  return true;
}
function brace(text: '{' | ',' | '}'): ReadWordPart {
  return (cursor, parts) => {
    parts.push({ type: 'brace', text });
    return cursor.skip(text);
  };
}
function glob(pattern: RegExp): ReadWordPart {
  return (cursor, parts) => {
    parts.push({ type: 'glob', text: cursor.take(pattern) });
    return true;
  };
}
function escaped(cursor: LineCursor, parts: WordPart[]): boolean {
  // The end of the line is taken out altogether: the word goes on.
  if (cursor.skip('\\\n')) return true;
  parts.push({ type: 'text', text: cursor.match(/\\([\s\S]?)/y)?.[1] ?? '', quoted: true });
  return true;
}

/** What means nothing, by the character that ends the text. */
const QUIET: Readonly<Record<string, RegExp>> = { '"': /[^"\\$`]+/y, '': /[^\\$`]+/y };

/** Text in which only variables and substitutions mean something, up to the closing character; with none, to the end. */
export function readQuotedParts(cursor: LineCursor, close: '"' | '', list: ReadList): WordPart[] {
  const parts: WordPart[] = [];
  while (!cursor.over) {
    if (close !== '' && cursor.skip(close)) return parts;
    const char = cursor.char;
    if (char === '$') parts.push(...readDollar(cursor, true, list, readQuotedParts));
    else if (char === '`') parts.push(readBacktick(cursor, true, list));
    else if (char === '\\') parts.push({ type: 'text', text: unescaped(cursor, close), quoted: true });
    else parts.push({ type: 'text', text: cursor.take(QUIET[close] ?? /[\s\S]/y), quoted: true });
  }
  if (close !== '') throw new UnreadableLine('open quote');
  return parts;
}

/** Between double quotes a backslash stays unless what follows would mean something. */
function unescaped(cursor: LineCursor, close: string): string {
  const [whole = '', char = ''] = cursor.match(/\\([\s\S]?)/y) ?? [];
  if (char === '\n') return '';
  return char === '$' || char === '`' || char === '\\' || (char === '"' && close === '"') ? char : whole;
}
