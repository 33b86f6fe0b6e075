import type { CommandList, Pipeline, ShellCommand } from './ast.ts';
import { readCompoundCommand, readSimpleCommand } from './commands.ts';
import { LineCursor, type StepMeter, UnreadableLine } from './cursor.ts';
import { readHereDocuments } from './redirections.ts';

/** A line as the commands it would run; `undefined` when no shell, or only a patient one, could read it. */
export function parse(line: string, meter: StepMeter): CommandList | undefined {
  const { list, whole } = parseOutermost(new LineCursor(line, meter));
  return whole ? list : undefined;
}

/** The same; of a line that cannot be read, the commands before the place where reading failed. */
export function parseBeginning(line: string, meter: StepMeter): { readonly list: CommandList; readonly whole: boolean } {
  const cursor = new LineCursor(line, meter);
  const read = parseOutermost(cursor);
  if (read.whole) return read;
  return { list: [...read.list, ...(parse(line.slice(cursor.commandAt, cursor.wordAt), meter) ?? [])], whole: false };
}

function parseOutermost(cursor: LineCursor): { readonly list: CommandList; readonly whole: boolean } {
  const list: Pipeline[] = [];
  try {
    readInto(list, cursor, '');
    return { list, whole: cursor.over };
  } catch (error) {
    if (error instanceof UnreadableLine) return { list, whole: false };
    throw error;
  }
}

/** Words that end a list when they stand where a command would. */
const CLOSING = /(?:then|do|done|fi|elif|else|esac|\})(?=[\s;|&()<>]|$)|;;&?|;&/y;

function readList(cursor: LineCursor, close: ')' | ''): CommandList {
  const pipelines: Pipeline[] = [];
  readInto(pipelines, cursor, close);
  return pipelines;
}

/** Pipelines up to a closing parenthesis, a closing word or the end. */
function readInto(pipelines: Pipeline[], cursor: LineCursor, close: ')' | ''): void {
  let after: Pipeline['after'] = ';';
  for (;;) {
    blank(cursor, true);
    if (cursor.over || cursor.peek(CLOSING) !== undefined || (close === ')' && cursor.char === ')')) break;
    if (cursor.depth === 0) cursor.commandAt = cursor.at;
    const commands = pipeline(cursor);
    const mark = cursor.take(/&&|\|\||;(?![;&])|&|\n/y);
    if (mark === '\n') readHereDocuments(cursor, readList);
    pipelines.push({ commands, after, background: mark === '&' });
    if (cursor.depth === 0) cursor.commandAt = cursor.at;
    after = mark === '&&' || mark === '||' ? mark : ';';
    if (mark === '') break;
  }
  if (cursor.over && close === '') readHereDocuments(cursor, readList);
}

function pipeline(cursor: LineCursor): ShellCommand[] {
  const commands: ShellCommand[] = [];
  do {
    blank(cursor, commands.length > 0);
    while (cursor.match(/(?:!|time(?:\s+-p)?)(?=\s)/y) !== null) blank(cursor, false);
    const command = cursor.deeper(() => readCompoundCommand(cursor, readList, blank) ?? readSimpleCommand(cursor, readList, blank));
    if (command === undefined) throw new UnreadableLine(`nothing to run at ${cursor.at}`);
    commands.push(command);
    blank(cursor, false);
  } while (cursor.match(/\|&?(?!\|)/y) !== null);
  return commands;
}

/** Blanks and comments; with `lines`, ends of lines too, behind which here-documents begin. */
function blank(cursor: LineCursor, lines: boolean): void {
  for (;;) {
    cursor.take(/(?:[ \t\r\f\v]|\\\n)+/y);
    if (cursor.char === '#') cursor.take(/[^\n]*/y);
    if (!lines || !cursor.skip('\n')) return;
    readHereDocuments(cursor, readList);
  }
}
