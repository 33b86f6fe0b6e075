import type { FileDiff } from '../../../contracts/details.ts';
import type { FileStat } from '../../../contracts/files.ts';
import { createTextBlock } from '../../../contracts/message.ts';
import { ToolFailure, type Tool, type ToolContext, type ToolOutput } from '../../../contracts/tool.ts';
import { readBytes } from './files/content.ts';
import type { FileGuard } from './files/guarded.ts';
import { inspect } from './files/inspect.ts';
import { locate, toPathResource, type Location, type PathResolution } from './files/locate.ts';
import type { FileMemory } from './files/memory.ts';
import { decodeBytes, UnencodableText, type DecodedBytes } from './files/encoding.ts';
import { reportHardLinks } from './files/hard-links.ts';
import { applyFormat, describeFormat, detectTextFormat, PLAIN, type TextFormat } from './files/text-format.ts';
import { isChecked, reportNewSyntaxError } from './files/syntax.ts';
import { reportPlaces } from './files/report-places.ts';
import { toFileFailure } from './files/failures.ts';
import { formatContentSize } from './patch/content.ts';
import { measureDiff } from './patch/unified.ts';

export interface WriteInput {
  readonly path: string;
  readonly content: string;
}
export interface WriteOptions extends PathResolution {
  readonly guard: FileGuard;
  readonly memory: FileMemory;
}

export const writeFileTool = (options: WriteOptions): Tool<WriteInput> => ({
  name: 'write_file',
  description: 'Create or overwrite a whole file; missing folders are created. To change part of a file, use patch.',
  input: {
    type: 'object',
    properties: { path: { type: 'string' }, content: { type: 'string' } },
    required: ['path', 'content'],
    additionalProperties: false,
  },
  whenMissing: {
    content:
      'the text of the file did not arrive, nothing was written; a very long text may have been cut off on its way: send it again, in parts if need be (write_file for the first, patch for the rest)',
  },
  effects: ({ path }) => ({ kind: 'write', resources: [toPathResource(path, options)] }),
  restores: ['content'],
  replay: 'never',
  idempotent: false,
  trust: 'tool',
  timeoutMs: 60_000,
  maxResult: 100_000,
  run: (input, context) => write(input, context, options),
});

async function write({ path, content }: WriteInput, context: ToolContext, { guard, memory }: WriteOptions): Promise<ToolOutput> {
  const { files } = context.terminal;
  const place = await locate(path, context.terminal);
  guard.check(place, 'write');
  const before = await inspect(place, files);
  const stale =
    before !== undefined &&
    (memory.changed(context, place.real, before.stamp) || memory.isRefused(context, place.real, before.stamp, content));
  const was = before === undefined ? undefined : await readOld(place, before, context, stale);
  const old = was?.text;
  if (stale) {
    const { words, whole } = difference(place, old ?? '', content);
    // Whoever was shown all that would be lost knows the file as it is.
    if (whole) memory.refused(context, place.real, before.stamp, content);
    throw new ToolFailure(words);
  }
  const isMeant = before === undefined || memory.wasKept(context, place.real, before.stamp, content);
  const format = isMeant || was === undefined ? PLAIN : formatToKeep(detectTextFormat(was), content);
  const bytes = dress(content, format, place, () => {
    if (before !== undefined) memory.keptFormat(context, place.real, before.stamp, content);
  });
  await files.write(place.real, bytes).catch((error: unknown) => {
    throw toFileFailure('written', place, error);
  });
  const after = await inspect(place, files);
  if (after !== undefined) memory.wrote(context.sessionId, place.real, after.stamp, content);
  const kept = describeFormat(format);
  if (after !== undefined && kept.length > 0) memory.keptFormat(context, place.real, after.stamp, content);
  const notes = [
    `${before === undefined ? 'Created' : 'Overwrote'} ${place.shown}: ${Buffer.byteLength(bytes)} bytes, ${formatContentSize(content)}.`,
    ...(kept.length === 0 ? [] : [`Kept as the file had it: ${kept.join(', ')}. ${RESEND}`]),
    ...reportHardLinks(place, before),
    ...(await reportPlaces([place], context.terminal)),
    ...(await reportNewSyntaxError(place.path, old, content, context)),
  ];
  const isWhole = before === undefined || before.size <= HEAD || isChecked(place.path);
  return {
    content: [createTextBlock(notes.join('\n'), 'tool')],
    details: { kind: 'diff', files: [changeTo(place, isWhole, old, content)] },
  };
}

/** The change for faces; of an old file that was not read to its end only that it was changed. */
function changeTo({ path, shown }: Location, isWhole: boolean, old: string | undefined, content: string): FileDiff {
  const change = old === undefined ? 'created' : 'changed';
  if (!isWhole) return { path, change, diff: '', added: 0, removed: 0, cut: true };
  return { path, change, ...measureDiff({ old: shown, new: shown }, old?.replaceAll('\r\n', '\n'), content.replaceAll('\r\n', '\n')) };
}

/** Why a file that somebody else changed is not overwritten, with what would be lost; `whole` when nothing of that is left out. */
function difference({ shown }: Location, old: string, content: string): { readonly words: string; readonly whole: boolean } {
  const { diff, cut } = measureDiff({ old: shown, new: shown }, old.replaceAll('\r\n', '\n'), content.replaceAll('\r\n', '\n'));
  const whole = cut !== true;
  const next = whole
    ? 'Keep their lines: change the file with patch, or send write_file again with a text that has both. The same text is refused again; if the user wants that change gone, read the file first.'
    : 'Read the file again, then change it with patch, or write a text that has both.';
  return {
    whole,
    words: `Not written: ${shown} has changed since you last read it, and this text would undo that change. Your text differs from the file as it is now:\n${diff}\n${next}`,
  };
}

/** Enough to see how lines end. */
const HEAD = 65_536;
/** Read whole, so that its encoding is known for sure. */
const MAX_WHOLE = 2_000_000;

/** What the file held; the beginning of a long one, unless all of it is needed. */
async function readOld(place: Location, { size }: FileStat, { terminal, signal }: ToolContext, all: boolean): Promise<DecodedBytes> {
  try {
    const isWhole = all || size <= MAX_WHOLE || isChecked(place.path);
    const bytes = await readBytes(terminal.files, place.real, signal, isWhole ? Infinity : HEAD);
    return (isWhole ? decodeBytes(bytes) : undefined) ?? { text: bytes.toString('utf8'), encoding: 'utf-8' };
  } catch (error) {
    throw toFileFailure('read', place, error);
  }
}

/** The model never sees carriage returns: a text without any goes back with those the file had. */
const formatToKeep = (format: TextFormat, content: string): TextFormat => ({
  ...format,
  eol: content.includes('\r\n') || format.eol === 'mixed' ? 'lf' : format.eol,
});

const RESEND = 'To have plain UTF-8 with LF line ends instead, send the same write_file again.';

function dress(content: string, format: TextFormat, { shown }: Location, onRefused: () => void): string | Buffer {
  try {
    return applyFormat(content, format, shown);
  } catch (error) {
    if (!(error instanceof UnencodableText)) throw error;
    onRefused();
    throw new ToolFailure(`${error.message} ${RESEND}`, { cause: error });
  }
}
