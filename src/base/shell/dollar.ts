import type { CommandList, ShellParameter, WordPart } from './ast.ts';
import { LineCursor, UnreadableLine } from './cursor.ts';

/** Reads commands up to what closes them; handed in, because words hold commands and commands hold words. */
export type ReadList = (cursor: LineCursor, close: ')' | '') => CommandList;
type ReadQuoted = (cursor: LineCursor, close: '"' | '', list: ReadList) => WordPart[];

const SIMPLE = /\$([A-Za-z_]\w*|[0-9@*#?!$_-])/y;

/** Whatever a dollar sign begins. */
export function readDollar(cursor: LineCursor, quoted: boolean, list: ReadList, text: ReadQuoted): WordPart[] {
  if (cursor.ahead('$((')) {
    const parts = readArithmetic(cursor, 3, list);
    if (parts !== undefined) return [{ type: 'arithmetic', parts }];
  }
  if (cursor.skip('$(')) return [{ type: 'output', body: readEnclosed(cursor, list), quoted }];
  if (cursor.skip('${')) return [cursor.deeper(() => braced(cursor, quoted, list, text))];
  if (cursor.skip('$[')) return [{ type: 'arithmetic', parts: cursor.deeper(() => arithmeticUpTo(cursor, ']', list)) }];
  const simple = cursor.match(SIMPLE);
  if (simple !== null) return [parameter(simple[1] ?? '', quoted, {})];
  cursor.at++;
  return [{ type: 'text', text: '$', quoted: true }];
}

export const readEnclosed = (cursor: LineCursor, list: ReadList): CommandList =>
  cursor.deeper(() => {
    const { waiting } = cursor;
    cursor.waiting = [];
    const body = list(cursor, ')');
    cursor.waiting = [...waiting, ...cursor.waiting];
    cursor.expect(')');
    return body;
  });

/** The older spelling: its text is unescaped before it is read, so it cannot be read in place. */
export function readBacktick(cursor: LineCursor, quoted: boolean, list: ReadList): WordPart {
  const found = cursor.match(/`((?:\\[\s\S]|[^`\\])*)`/y);
  if (found === null) throw new UnreadableLine('open backtick');
  const text = (found[1] ?? '').replaceAll(quoted ? /\\([`\\$"])/g : /\\([`\\$])/g, '$1');
  const inner = new LineCursor(text, cursor.meter, cursor.depth + 1);
  return { type: 'output', body: inner.deeper(() => list(inner, '')), quoted };
}

/** `(( … ))` from its opening on; `undefined`, with the cursor back, when it turns out to be two parentheses. */
export function readArithmetic(cursor: LineCursor, opening: number, list: ReadList): WordPart[] | undefined {
  const start = cursor.at;
  cursor.at += opening;
  const parts = cursor.deeper(() => arithmeticUpTo(cursor, ')', list));
  if (cursor.skip(')')) return parts;
  cursor.at = start;
  return undefined;
}

/** Only what runs inside an expression matters: its substitutions. */
function arithmeticUpTo(cursor: LineCursor, close: ')' | ']', list: ReadList): WordPart[] {
  const parts: WordPart[] = [];
  for (let open = 0; !cursor.over;) {
    if (open === 0 && cursor.skip(close)) return parts;
    if (cursor.char === '$') parts.push(...readDollar(cursor, true, list, () => []));
    else if (cursor.char === '`') parts.push(readBacktick(cursor, true, list));
    else if (cursor.skip('(')) open++;
    else if (cursor.skip(')')) {
      if (--open < 0) return parts;
    } else if (cursor.take(/[^$`()\]]+/y) === '') cursor.at++;
  }
  throw new UnreadableLine('open arithmetic');
}

const parameter = (name: string, quoted: boolean, more: Partial<ShellParameter>): ShellParameter => ({
  type: 'parameter',
  name,
  quoted,
  indirect: false,
  length: false,
  index: undefined,
  operator: '',
  operand: [],
  ...more,
});

const OPERATOR = /:?[-=?+]|##?|%%?|\/[/#%]?|\^\^?|,,?|:|@[A-Za-z]|[*@]/y;

/** `${…}` behind its opening brace. */
function braced(cursor: LineCursor, quoted: boolean, list: ReadList, text: ReadQuoted): WordPart {
  const length = cursor.peek(/#[\w@*]/y) !== undefined && cursor.skip('#');
  const indirect = cursor.peek(/![\w@*]/y) !== undefined && cursor.skip('!');
  const name = cursor.take(/[A-Za-z_]\w*|\d+|[@*#?!$_-]/y);
  const index = cursor.match(/\[([^\]]*)\]/y)?.[1];
  const operator = cursor.take(OPERATOR);
  const operand = operandParts(cursor, list, text);
  return parameter(name, quoted, { length, indirect, index, operator, operand });
}

function operandParts(cursor: LineCursor, list: ReadList, text: ReadQuoted): WordPart[] {
  const parts: WordPart[] = [];
  while (!cursor.over) {
    if (cursor.skip('}')) return parts;
    const char = cursor.char;
    if (char === '$') parts.push(...readDollar(cursor, false, list, text));
    else if (char === '`') parts.push(readBacktick(cursor, false, list));
    else if (cursor.skip('"')) parts.push(...text(cursor, '"', list));
    else parts.push({ type: 'text', text: operandText(cursor), quoted: false });
  }
  throw new UnreadableLine('open brace');
}

function operandText(cursor: LineCursor): string {
  const quoted = cursor.match(/'([^']*)'|\\([\s\S])/y);
  if (quoted !== null) return quoted[1] ?? quoted[2] ?? '';
  return cursor.take(/[^}$`"'\\]+|[\s\S]/y);
}
