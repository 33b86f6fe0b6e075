import type { FileStat } from '../../../contracts/files.ts';
import { createTextBlock } from '../../../contracts/message.ts';
import { ToolFailure, type Tool, type ToolContext, type ToolOutput } from '../../../contracts/tool.ts';
import type { FileGuard } from './files/guarded.ts';
import { extract } from './files/documents.ts';
import { inspect } from './files/inspect.ts';
import { createLineWindow, type Window } from './files/lines.ts';
import { locate, toPathResource, type Location, type PathResolution } from './files/locate.ts';
import { MAX_KEPT_TEXT, type FileMemory } from './files/memory.ts';
import { readForScript } from './files/raw.ts';
import { readBytes } from './files/content.ts';
import { detectBinaryKind, refuseBinary, SNIFFED } from './files/sniff.ts';
import { asFailure, createMissingFileFailure } from './files/failures.ts';

export interface ReadInput {
  readonly path: string;
  readonly offset?: number;
  readonly limit?: number;
}
export interface ReadOptions extends PathResolution {
  readonly guard: FileGuard;
  readonly memory: FileMemory;
  /** Asked for with each call. */
  readonly maxChars: () => number;
}

const MAX_LIMIT = 2_000;
const MAX_LINE = 2_000;

export const readFileTool = (options: ReadOptions): Tool<ReadInput> => ({
  name: 'read_file',
  description: 'Read a text file (also .ipynb, .docx, .xlsx, .pdf) as LINE|content lines.',
  input: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Absolute, relative or ~' },
      offset: { type: 'integer', minimum: 1, description: 'First line, default 1' },
      limit: { type: 'integer', minimum: 1, description: `Lines, default and maximum ${MAX_LIMIT}` },
    },
    required: ['path'],
    additionalProperties: false,
  },
  effects: ({ path }) => ({ kind: 'read', resources: [toPathResource(path, options)] }),
  replay: 'safe',
  idempotent: true,
  trust: 'tool',
  timeoutMs: 60_000,
  // It has a bound of its own; spilling what was read to disk would only be read again.
  maxResult: Infinity,
  forget: (sessionId) => options.memory.forget(sessionId),
  run: (input, context) => read(input, context, options),
});

async function read(input: ReadInput, context: ToolContext, options: ReadOptions): Promise<ToolOutput> {
  const { path, offset = 1 } = input;
  const place = await locate(path, context.terminal);
  options.guard.check(place, 'read');
  const found = await inspect(place, context.terminal.files);
  if (found === undefined) throw await createMissingFileFailure(place, context.terminal);
  if (context.forScript === true) {
    const { output, text } = await readForScript(place, found, input, context);
    options.memory.read(context, place.real, found.stamp, text);
    return output;
  }
  const limit = Math.min(input.limit ?? MAX_LIMIT, MAX_LIMIT);
  const range = `${offset}+${limit}`;
  const repeats = options.memory.repeats(context.sessionId, place.real, range, found.stamp);
  if (repeats > 0) return unchanged(place, offset, limit, repeats);
  const window = await readWindow(place, { offset, limit, keep: found.size <= MAX_KEPT_TEXT, size: found.size }, context);
  const output = render(window, found, offset, place, options.maxChars());
  options.memory.showed(context.sessionId, place.real, range, found.stamp);
  options.memory.read(context, place.real, found.stamp, window.text);
  return output;
}

/** The first repeat is answered with a stub, the next ones are refused: a model that loops here gains nothing from either. */
function unchanged({ shown }: Location, offset: number, limit: number, repeats: number): ToolOutput {
  const range = `${shown} (offset ${offset}, limit ${limit})`;
  if (repeats === 1)
    return {
      content: [createTextBlock(`Unchanged: ${range} is as you read it earlier in this session; use that result.`, 'tool')],
      details: { kind: 'data', data: { unchanged: true } },
    };
  throw new ToolFailure(
    `Refused: you have read ${range} already and it has not changed. Use what you have; if you can no longer see it, read another range.`,
  );
}

interface ShownWindow extends Window {
  /** How a document's words were come by. */
  readonly how?: string;
  /** How the file is written, where not as UTF-8. */
  readonly encoding?: string;
  /** All of a text file that is short enough to be remembered. */
  readonly text?: string;
}
interface WindowRange {
  readonly offset: number;
  readonly limit: number;
  readonly keep: boolean;
  readonly size: number;
}
/** A file in another encoding than UTF-8 is decoded as a whole. */
const MAX_DECODED = 16_000_000;

async function readWindow(place: Location, asked: WindowRange, context: ToolContext): Promise<ShownWindow> {
  const { offset, limit, keep } = asked;
  const window = createLineWindow(offset, limit, MAX_LINE);
  const kept: Buffer[] = [];
  try {
    const extracted = await extract(place, context);
    if (extracted !== undefined) {
      window.feed(Buffer.from(extracted.text));
      return { ...window.finish(), how: extracted.how };
    }
    let first = true;
    for await (const chunk of context.terminal.files.read(place.real, context.signal)) {
      const decoded =
        first && detectBinaryKind(chunk.subarray(0, SNIFFED)) !== undefined ? await readDecoded(place, asked, context) : undefined;
      if (decoded !== undefined) return decoded;
      if (first) refuseBinary(place.shown, chunk);
      first = false;
      window.feed(chunk);
      if (keep) kept.push(chunk);
    }
  } catch (error) {
    throw asFailure('read', place, error);
  }
  const seen = window.finish();
  const decoded = seen.broken ? await readDecoded(place, asked, context) : undefined;
  return decoded ?? { ...seen, ...(keep && { text: Buffer.concat(kept).toString('utf8') }) };
}

/** The same of a file that is text, but not UTF-8. */
async function readDecoded(
  place: Location,
  { offset, limit, size }: WindowRange,
  { terminal, signal }: ToolContext,
): Promise<ShownWindow | undefined> {
  if (size > MAX_DECODED) return undefined;
  const { decodeBytes, ENCODING_NAMES } = await import('./files/encoding.ts');
  const decoded = decodeBytes(await readBytes(terminal.files, place.real, signal));
  if (decoded === undefined) return undefined;
  const window = createLineWindow(offset, limit, MAX_LINE);
  window.feed(Buffer.from(decoded.text));
  return { ...window.finish(), text: decoded.text, encoding: ENCODING_NAMES[decoded.encoding] };
}

/** As many of the lines as fit, numbered, and never none. */
function numbered(lines: readonly string[], offset: number, maxChars: number): string[] {
  const shown: string[] = [];
  let room = maxChars;
  for (const [index, line] of lines.entries()) {
    const row = `${offset + index}|${line}`;
    room -= row.length + 1;
    if (room < 0 && shown.length > 0) break;
    shown.push(row);
  }
  return shown;
}

function render(
  { lines, total, broken, how, encoding }: ShownWindow,
  { size }: FileStat,
  offset: number,
  { shown }: Location,
  maxChars: number,
): ToolOutput {
  if (total === 0)
    return {
      content: [createTextBlock(`[${shown} is empty]`, 'tool')],
      details: { kind: 'data', data: { total_lines: 0, file_size: size, truncated: false } },
    };
  if (lines.length === 0)
    throw new ToolFailure(`${shown} has ${total} ${total === 1 ? 'line' : 'lines'}; offset ${offset} is past its end.`);
  const rows = numbered(lines, offset, maxChars);
  const last = offset + rows.length - 1;
  const truncated = last < total;
  const why = rows.length < lines.length ? `; more than ${maxChars} characters do not fit` : '';
  const notes = [
    `[lines ${offset}-${last} of ${total}, ${size} bytes${why}${truncated ? `; read on with offset ${last + 1}` : ''}]`,
    ...(broken ? ['[not valid UTF-8: unreadable bytes are shown as \u{fffd}; edit this file with a command, not with patch]'] : []),
    ...(how === undefined ? [] : [`[${how}]`]),
    ...(encoding === undefined ? [] : [`[written in ${encoding}; patch and write_file keep that]`]),
  ];
  return {
    content: [createTextBlock([...rows, ...notes].join('\n'), 'tool')],
    details: {
      kind: 'data',
      data: { total_lines: total, file_size: size, truncated, ...(how !== undefined && { extracted_document: true }) },
    },
  };
}
