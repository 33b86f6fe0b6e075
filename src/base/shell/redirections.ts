import type { HereDocument, Redirection, Word } from './ast.ts';
import { LineCursor, UnreadableLine } from './cursor.ts';
import type { ReadList } from './dollar.ts';
import { readQuotedParts, readWord } from './words.ts';

const OPERATOR = /(?:\d+|\{\w+\})?(?:&>>?|>>|>[|&]?|<<<|<<-?|<>|<&?)/y;

/** The redirection that begins here, with the word it names. */
export function readRedirection(cursor: LineCursor, list: ReadList): Redirection | undefined {
  // `<(` and `>(` are words.
  if (cursor.peek(/[<>]\(/y) !== undefined) return undefined;
  const whole = cursor.take(OPERATOR);
  const operator = whole.replace(/^(?:\d+|\{\w+\})/, '');
  if (operator === '') return undefined;
  cursor.take(/(?:[ \t]|\\\n)+/y);
  const target = readWord(cursor, list);
  if (target === undefined) throw new UnreadableLine('a redirection to nowhere');
  const here = operator === '<<' || operator === '<<-' ? announced(target, operator) : undefined;
  if (here !== undefined) cursor.waiting.push(here);
  return { operator, descriptor: whole.slice(0, -operator.length), target, here };
}

function announced({ parts }: Word, operator: string): HereDocument {
  return {
    end: parts.map((part) => ('text' in part ? part.text : '')).join(''),
    dashed: operator === '<<-',
    // With a quoted end nothing in the text is expanded.
    quoted: parts.some((part) => part.type === 'text' && part.quoted),
    text: [],
    closed: false,
  };
}

/** The texts of all here-documents the line before has announced, in their order. The cursor stands behind its line end. */
export function readHereDocuments(cursor: LineCursor, list: ReadList): void {
  const { waiting } = cursor;
  cursor.waiting = [];
  for (const document of waiting) {
    const { text, closed } = textUpTo(cursor, document);
    document.closed = closed;
    document.text = document.quoted ? [{ type: 'text', text, quoted: true }] : expanding(text, cursor, list);
  }
}

function expanding(text: string, outer: LineCursor, list: ReadList): HereDocument['text'] {
  const inner = new LineCursor(text, outer.meter, outer.depth + 1);
  return inner.deeper(() => readQuotedParts(inner, '', list));
}

function textUpTo(cursor: LineCursor, { end, dashed }: HereDocument): { readonly text: string; readonly closed: boolean } {
  const lines: string[] = [];
  let closed = false;
  while (!cursor.over) {
    const line = cursor.take(/[^\n]*/y);
    cursor.at++;
    const bare = dashed ? line.replace(/^\t+/, '') : line;
    closed = bare === end;
    if (closed) break;
    // Inside `$( … )` the closing parenthesis may stand on the line of the end.
    if (end !== '' && bare.startsWith(end) && /^\s*\)/.test(bare.slice(end.length))) {
      cursor.at -= line.length - line.indexOf(end) - end.length + 1;
      closed = true;
      break;
    }
    lines.push(bare);
  }
  return { text: lines.map((line) => `${line}\n`).join(''), closed };
}
