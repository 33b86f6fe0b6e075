import type { Command, List, Pipeline } from './ast.ts';
import { compound, simple } from './commands.ts';
import { Cursor, Meter, Unreadable } from './cursor.ts';
import { hereDocuments } from './redirections.ts';

/** A line as the commands it would run; `undefined` when no shell, or only a patient one, could read it. */
export function parse(line: string, meter: Meter = new Meter(Number.POSITIVE_INFINITY), depth = 0): List | undefined {
  const cursor = new Cursor(line, meter, depth);
  try {
    const list = readList(cursor, '');
    return cursor.over ? list : undefined;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** Words that end a list when they stand where a command would. */
const CLOSING = /(?:then|do|done|fi|elif|else|esac|\})(?=[\s;|&()<>]|$)|;;&?|;&/y;

/** Pipelines up to a closing parenthesis, a closing word or the end. */
function readList(cursor: Cursor, close: ')' | ''): List {
  const pipelines: Pipeline[] = [];
  let after: Pipeline['after'] = ';';
  for (;;) {
    blank(cursor, true);
    if (cursor.over || cursor.peek(CLOSING) !== undefined || (close === ')' && cursor.char === ')')) break;
    const commands = pipeline(cursor);
    const mark = cursor.take(/&&|\|\||;(?![;&])|&|\n/y);
    if (mark === '\n') hereDocuments(cursor, readList);
    pipelines.push({ commands, after, background: mark === '&' });
    after = mark === '&&' || mark === '||' ? mark : ';';
    if (mark === '') break;
  }
  if (cursor.over && close === '') hereDocuments(cursor, readList);
  return pipelines;
}

function pipeline(cursor: Cursor): Command[] {
  const commands: Command[] = [];
  do {
    blank(cursor, commands.length > 0);
    while (cursor.match(/(?:!|time(?:\s+-p)?)(?=\s)/y) !== null) blank(cursor, false);
    const command = cursor.deeper(() => compound(cursor, readList, blank) ?? simple(cursor, readList, blank));
    if (command === undefined) throw new Unreadable(`nothing to run at ${cursor.at}`);
    commands.push(command);
    blank(cursor, false);
  } while (cursor.match(/\|&?(?!\|)/y) !== null);
  return commands;
}

/** Blanks and comments; with `lines`, ends of lines too, behind which here-documents begin. */
export function blank(cursor: Cursor, lines: boolean): void {
  for (;;) {
    cursor.take(/(?:[ \t\r\f\v]|\\\n)+/y);
    if (cursor.char === '#') cursor.take(/[^\n]*/y);
    if (!lines || !cursor.skip('\n')) return;
    hereDocuments(cursor, readList);
  }
}
