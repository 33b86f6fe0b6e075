import type { Assignment, ShellCommand, CommandList, Redirection, SimpleCommand, Word } from './ast.ts';
import { type LineCursor, UnreadableLine } from './cursor.ts';
import { readArithmetic, readEnclosed, type ReadList } from './dollar.ts';
import { readRedirection } from './redirections.ts';
import { readWord } from './words.ts';

type SkipBlanks = (cursor: LineCursor, lines: boolean) => void;
type ReadCompound = (cursor: LineCursor, list: ReadList, blank: SkipBlanks) => ShellCommand | undefined;

const KEYWORD = /(?:if|for|select|while|until|case|function|coproc|\{|\[\[)(?=[\s;({"'$]|$)/y;

/** A command with a shape of its own; `undefined` when a simple one begins here. */
export const readCompoundCommand: ReadCompound = (cursor, list, blank) => {
  if (cursor.char === '(') return parentheses(cursor, list, blank);
  const keyword = cursor.peek(KEYWORD);
  const read = keyword === undefined ? undefined : COMPOUNDS[keyword];
  if (keyword === undefined || read === undefined) return namedFunction(cursor, list, blank);
  cursor.at += keyword.length;
  const command = read(cursor, list, blank);
  return command === undefined ? undefined : { ...command, ...trailing(cursor, list, blank) };
};

function trailing(cursor: LineCursor, list: ReadList, blank: SkipBlanks): { redirections: readonly Redirection[] } {
  const redirections: Redirection[] = [];
  for (;;) {
    blank(cursor, false);
    const next = readRedirection(cursor, list);
    if (next === undefined) return { redirections };
    redirections.push(next);
  }
}

function parentheses(cursor: LineCursor, list: ReadList, blank: SkipBlanks): ShellCommand {
  if (cursor.ahead('((')) {
    const parts = readArithmetic(cursor, 2, list);
    if (parts !== undefined) return { type: 'arithmetic', parts, ...trailing(cursor, list, blank) };
  }
  cursor.at++;
  return { type: 'group', apart: true, body: readEnclosed(cursor, list), ...trailing(cursor, list, blank) };
}

const COMPOUNDS: Readonly<Record<string, ReadCompound>> = {
  '{': (cursor, list) => ({ type: 'group', apart: false, body: upTo(cursor, list, '}'), redirections: [] }),
  if: (cursor, list) => {
    const [conditions, bodies]: [CommandList[], CommandList[]] = [[], []];
    let mark = 'elif';
    for (; mark === 'elif'; mark = cursor.take(/elif|else|fi/y)) {
      conditions.push(upTo(cursor, list, 'then'));
      bodies.push(list(cursor, ''));
    }
    if (mark === 'else') bodies.push(upTo(cursor, list, 'fi'));
    else if (mark !== 'fi') throw new UnreadableLine('if without fi');
    return { type: 'branches', conditions, bodies, redirections: [] };
  },
  while: loop,
  until: loop,
  for: each,
  select: each,
  case: choice,
  function: (cursor, list, blank) => {
    blank(cursor, false);
    const name = cursor.take(/[^\s(){};|&<>]+/y);
    cursor.take(/\s*\(\s*\)/y);
    return body(name, cursor, list, blank);
  },
  coproc: (cursor, list, blank) => {
    blank(cursor, false);
    cursor.take(/[A-Za-z_]\w*(?=\s+[{(])/y);
    blank(cursor, false);
    const inner = readCompoundCommand(cursor, list, blank) ?? readSimpleCommand(cursor, list, blank);
    if (inner === undefined) throw new UnreadableLine('coproc of nothing');
    return { type: 'group', apart: true, body: [{ commands: [inner], after: ';', background: true }], redirections: [] };
  },
  '[[': (cursor, list, blank) => {
    const words: Word[] = [];
    for (;;) {
      blank(cursor, true);
      if (cursor.match(/\]\](?=[\s;|&()<>]|$)/y) !== null) return { type: 'test', words, redirections: [] };
      const word = readWord(cursor, list);
      if (word !== undefined) words.push(word);
      else if (cursor.take(/&&|\|\||[<>()|&;!]/y) === '') throw new UnreadableLine('open test');
    }
  },
};

function upTo(cursor: LineCursor, list: ReadList, word: string): CommandList {
  const commands = list(cursor, '');
  cursor.expect(word);
  return commands;
}

function loop(cursor: LineCursor, list: ReadList): ShellCommand {
  return { type: 'loop', condition: upTo(cursor, list, 'do'), body: upTo(cursor, list, 'done'), redirections: [] };
}

function each(cursor: LineCursor, list: ReadList, blank: SkipBlanks): ShellCommand {
  blank(cursor, false);
  const parts = cursor.ahead('((') ? readArithmetic(cursor, 2, list) : undefined;
  const name = parts === undefined ? cursor.take(/\w+/y) : '';
  blank(cursor, true);
  const words: Word[] | undefined = cursor.match(/in(?=[\s;])/y) === null ? undefined : [];
  blank(cursor, false);
  for (let word = words && readWord(cursor, list); word !== undefined; word = readWord(cursor, list)) {
    words?.push(word);
    blank(cursor, false);
  }
  cursor.take(/;/y);
  blank(cursor, true);
  if (cursor.skip('{')) return { type: 'each', name, words, body: upTo(cursor, list, '}'), redirections: [] };
  cursor.expect('do');
  const inner = upTo(cursor, list, 'done');
  const all: CommandList =
    parts === undefined
      ? inner
      : [{ commands: [{ type: 'arithmetic', parts, redirections: [] }], after: ';', background: false }, ...inner];
  return { type: 'each', name, words, body: all, redirections: [] };
}

function choice(cursor: LineCursor, list: ReadList, blank: SkipBlanks): ShellCommand {
  blank(cursor, true);
  const subject = readWord(cursor, list) ?? { parts: [] };
  blank(cursor, true);
  cursor.expect('in');
  const bodies: CommandList[] = [];
  for (;;) {
    blank(cursor, true);
    if (cursor.match(/esac(?=[\s;|&()<>]|$)/y) !== null) return { type: 'choice', subject, bodies, redirections: [] };
    cursor.skip('(');
    for (blank(cursor, false); !cursor.skip(')'); blank(cursor, false))
      if (readWord(cursor, list) === undefined && !cursor.skip('|')) throw new UnreadableLine('open case');
    bodies.push(list(cursor, ''));
    cursor.take(/;;&?|;&/y);
  }
}

/** `name() …`. The name may be any word, which is how a fork bomb gets by with a colon. */
function namedFunction(cursor: LineCursor, list: ReadList, blank: SkipBlanks): ShellCommand | undefined {
  const head = cursor.match(/([^\s(){}<>|&;'"$`=\\]{1,200})[ \t]*\([ \t]*\)/y);
  return head === null ? undefined : body(head[1] ?? '', cursor, list, blank);
}
function body(name: string, cursor: LineCursor, list: ReadList, blank: SkipBlanks): ShellCommand {
  blank(cursor, true);
  const inner = readCompoundCommand(cursor, list, blank) ?? readSimpleCommand(cursor, list, blank);
  if (inner === undefined) throw new UnreadableLine('a function without a body');
  return { type: 'function', name, body: inner };
}

/** Assignments, words and redirections up to what ends a command. */
export const readSimpleCommand = (cursor: LineCursor, list: ReadList, blank: SkipBlanks): SimpleCommand | undefined => {
  const [assignments, words, redirections]: [Assignment[], Word[], Redirection[]] = [[], [], []];
  let [start, end] = [cursor.at, cursor.at];
  for (;;) {
    blank(cursor, false);
    if (cursor.depth === 1) cursor.wordAt = cursor.at;
    if (words.length + redirections.length === 0) start = cursor.at;
    const redirected = readRedirection(cursor, list);
    const assigned = redirected === undefined ? assignment(cursor, list, blank, words.length === 0) : undefined;
    const word = redirected === undefined && assigned === undefined ? readWord(cursor, list) : undefined;
    if (redirected !== undefined) redirections.push(redirected);
    else if (assigned !== undefined) assignments.push(assigned);
    else if (word !== undefined) words.push(word);
    else break;
    end = cursor.at;
  }
  const source = cursor.line.slice(start, end);
  return assignments.length + words.length + redirections.length === 0
    ? undefined
    : { type: 'simple', assignments, words, redirections, source };
};

/** `x=…` before the command; behind `declare` and its like only arrays need a look of their own. */
function assignment(cursor: LineCursor, list: ReadList, blank: SkipBlanks, first: boolean): Assignment | undefined {
  const head = cursor.match(first ? /([A-Za-z_]\w*)(\[[^\]\s]*\])?(\+?)=/y : /([A-Za-z_]\w*)(\[[^\]\s]*\])?(\+?)=(?=\()/y);
  if (head === null) return undefined;
  const [, name = '', index, append] = head;
  const rest = { name, index: index !== undefined, append: append === '+', lasting: !first };
  if (!cursor.skip('(')) return { ...rest, array: false, values: [readWord(cursor, list) ?? { parts: [] }] };
  const values: Word[] = [];
  for (blank(cursor, true); !cursor.skip(')'); blank(cursor, true)) {
    cursor.take(/\[[^\]\s]*\]=/y);
    const word = readWord(cursor, list);
    if (word === undefined) throw new UnreadableLine('open array');
    values.push(word);
  }
  return { ...rest, array: true, values };
}
