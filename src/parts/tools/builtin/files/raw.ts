import type { FileStat } from '../../../../contracts/files.ts';
import { createTextBlock, type JsonObject } from '../../../../contracts/message.ts';
import { ToolFailure, type ToolContext, type ToolOutput } from '../../../../contracts/tool.ts';
import { readBytes } from './content.ts';
import { extract } from './documents.ts';
import { decodeBytes } from './encoding.ts';
import type { Location } from './locate.ts';
import { refuseBinary } from './sniff.ts';
import { asFailure } from './failures.ts';

/** Bytes a script gets of one file. */
const MAX_RAW = 10_000_000;

export interface LineRange {
  readonly offset?: number;
  readonly limit?: number;
}

/** A file for a script: its very text, so that what is written back is what was read. Without a range all of it. */
export async function readForScript(
  place: Location,
  { size }: FileStat,
  range: LineRange,
  context: ToolContext,
): Promise<{ readonly output: ToolOutput; readonly text: string }> {
  if (size > MAX_RAW)
    throw new ToolFailure(
      `${place.shown} has ${size} bytes; read_file gives a script at most ${MAX_RAW}. Open the file in the script itself.`,
    );
  const whole = await textOf(place, context).catch((error: unknown) => {
    throw asFailure('read', place, error);
  });
  const lines = linesOf(whole);
  const { offset = 1, limit = Infinity } = range;
  const shown = lines.slice(offset - 1, offset - 1 + limit);
  const data: JsonObject = {
    text: shown.join(''),
    total_lines: lines.length,
    file_size: size,
    truncated: offset - 1 + shown.length < lines.length,
  };
  return { output: { content: [createTextBlock(shown.join(''), 'tool')], data, details: { kind: 'data', data } }, text: whole };
}

async function textOf(place: Location, context: ToolContext): Promise<string> {
  const extracted = await extract(place, context);
  if (extracted !== undefined) return extracted.text;
  const bytes = await readBytes(context.terminal.files, place.real, context.signal);
  const decoded = decodeBytes(bytes);
  if (decoded !== undefined) return decoded.text;
  refuseBinary(place.shown, bytes);
  throw new ToolFailure(`Refused: ${place.shown} is not valid UTF-8. Open it in the script itself, as bytes.`);
}

/** Each with its line end. */
const linesOf = (whole: string): string[] => (whole === '' ? [] : whole.split(/(?<=\n)/));
