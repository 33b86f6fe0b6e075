import { createReadStream } from 'node:fs';
import { text } from '../../../contracts/message.ts';
import { ToolFailure, type Tool, type ToolContext, type ToolOutput } from '../../../contracts/tool.ts';
import type { Guard } from './files/guarded.ts';
import { inspect, type Found } from './files/inspect.ts';
import { lineWindow, type Window } from './files/lines.ts';
import { locate, resourceOf, type Location } from './files/locate.ts';
import type { FileMemory } from './files/memory.ts';
import { binaryKind, SNIFFED } from './files/sniff.ts';
import { missing, trouble } from './files/trouble.ts';

export interface ReadInput {
  readonly path: string;
  readonly offset?: number;
  readonly limit?: number;
}
export interface ReadOptions {
  readonly cwd: () => string;
  readonly guard: Guard;
  readonly memory: FileMemory;
  readonly maxChars: number;
}

const LIMIT = 500;
const MAX_LIMIT = 2_000;
const MAX_LINE = 2_000;

export const readFileTool = (options: ReadOptions): Tool<ReadInput> => ({
  name: 'read_file',
  description: 'Read a text file as LINE|content lines.',
  input: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Absolute, relative or ~' },
      offset: { type: 'integer', minimum: 1, description: 'First line, default 1' },
      limit: { type: 'integer', minimum: 1, description: `Lines, default ${LIMIT}, at most ${MAX_LIMIT}` },
    },
    required: ['path'],
    additionalProperties: false,
  },
  effects: ({ path }) => ({ kind: 'read', resources: [resourceOf(path, options.cwd())] }),
  replay: 'safe',
  idempotent: true,
  trust: 'tool',
  timeoutMs: 60_000,
  // It has a bound of its own; spilling what was read to disk would only be read again.
  maxResult: Infinity,
  forget: (sessionId) => options.memory.forget(sessionId),
  run: (input, context) => read(input, context, options),
});

async function read(
  { path, offset = 1, limit: asked = LIMIT }: ReadInput,
  context: ToolContext,
  options: ReadOptions,
): Promise<ToolOutput> {
  const { cwd } = context.terminal;
  const place = locate(path, cwd);
  options.guard.check(place, 'read');
  const found = await inspect(place);
  if (found === undefined) throw await missing(place, cwd);
  const limit = Math.min(asked, MAX_LIMIT);
  const range = `${offset}+${limit}`;
  const repeats = options.memory.repeats(context.sessionId, place.real, range, found.stamp);
  if (repeats > 0) return unchanged(place, offset, limit, repeats);
  const window = await readWindow(place, offset, limit, context.signal);
  const output = render(window, found, offset, place, options.maxChars);
  options.memory.showed(context.sessionId, place.real, range, found.stamp);
  options.memory.know(context.sessionId, place.real, found.stamp);
  return output;
}

/** The first repeat is answered with a stub, the next ones are refused: a model that loops here gains nothing from either. */
function unchanged({ shown }: Location, offset: number, limit: number, repeats: number): ToolOutput {
  const range = `${shown} (offset ${offset}, limit ${limit})`;
  if (repeats === 1)
    return {
      content: [text(`Unchanged: ${range} is as you read it earlier in this session; use that result.`, 'tool')],
      details: { unchanged: true },
    };
  throw new ToolFailure(
    `Refused: you have read ${range} already and it has not changed. Go on with what you know; if you can no longer see it, ask for another range.`,
  );
}

async function readWindow(place: Location, offset: number, limit: number, signal: AbortSignal): Promise<Window> {
  const window = lineWindow(offset, limit, MAX_LINE);
  let first = true;
  try {
    const stream: AsyncIterable<Buffer> = createReadStream(place.path, { signal, highWaterMark: 1 << 18 });
    for await (const chunk of stream) {
      const kind = first ? binaryKind(chunk.subarray(0, SNIFFED)) : undefined;
      if (kind !== undefined)
        throw new ToolFailure(`Refused: ${place.shown} is not readable as text, it is ${kind}. Look at it with a suitable command.`);
      first = false;
      window.feed(chunk);
    }
  } catch (error) {
    throw error instanceof ToolFailure ? error : trouble('read', place, error);
  }
  return window.finish();
}

function render({ lines, total, broken }: Window, { size }: Found, offset: number, { shown }: Location, maxChars: number): ToolOutput {
  if (total === 0)
    return { content: [text(`[${shown} is empty]`, 'tool')], details: { total_lines: 0, file_size: size, truncated: false } };
  if (lines.length === 0) throw new ToolFailure(`${shown} has ${total} lines; offset ${offset} is past its end.`);
  const body = lines.map((line, index) => `${offset + index}|${line}`).join('\n');
  if (body.length > maxChars) {
    const fewer = Math.max(1, Math.floor((lines.length * maxChars * 0.8) / body.length));
    throw new ToolFailure(
      `Refused: these ${lines.length} lines of ${shown} have ${body.length} characters, more than ${maxChars}. Ask for fewer (limit ${fewer}) or find the place with search_files.`,
    );
  }
  const last = offset + lines.length - 1;
  const truncated = last < total;
  const notes = [
    `[lines ${offset}-${last} of ${total}, ${size} bytes${truncated ? `; read on with offset ${last + 1}` : ''}]`,
    ...(broken ? ['[not valid UTF-8: unreadable bytes are shown as \u{fffd}; edit this file with a command, not with patch]'] : []),
  ];
  return { content: [text([body, ...notes].join('\n'), 'tool')], details: { total_lines: total, file_size: size, truncated } };
}
