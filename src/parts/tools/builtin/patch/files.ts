import type { FileStat } from '../../../../contracts/files.ts';
import { ToolFailure, type ToolContext } from '../../../../contracts/tool.ts';
import { readBytes } from '../files/content.ts';
import type { FileGuard } from '../files/guarded.ts';
import { inspect } from '../files/inspect.ts';
import { locate, type Location } from '../files/locate.ts';
import type { FileMemory } from '../files/memory.ts';
import { decodeBytes } from '../files/encoding.ts';
import { reportHardLinks } from '../files/hard-links.ts';
import { applyFormat, detectTextFormat, PLAIN, stripFormat, type TextFormat } from '../files/text-format.ts';
import { reportNewSyntaxError } from '../files/syntax.ts';
import { reportPlaces } from '../files/report-places.ts';
import { toFileFailure } from '../files/failures.ts';
import { commitAll, type RemoveFile } from './commit.ts';
import { describeOpaque, type FileContent } from './content.ts';
import { measureDiff } from './unified.ts';
import type { FileDraft } from './v4a-plan.ts';

/** Larger files are for commands. */
const MAX_SIZE = 64_000_000;

export interface PatchFilesOptions {
  readonly guard: FileGuard;
  readonly memory: FileMemory;
  readonly remove?: RemoveFile;
}

/** The files one call works on: text is read without line-end quirks and written back with them, other bytes as they are. */
export function openFiles({ guard, memory, remove }: PatchFilesOptions, context: ToolContext) {
  const { files } = context.terminal;
  const formats = new Map<string, TextFormat>();
  const stats = new Map<string, FileStat>();
  const stale: { readonly place: Location; readonly words: string }[] = [];
  /** What others changed since the reader last knew the file. */
  const describeChanges = ({ real, shown }: Location, now: string): string => {
    const known = memory.lastText(context, real);
    const was = known === undefined ? undefined : toPlainText(known);
    return was === undefined || was === toPlainText(now)
      ? ''
      : ` Changed meanwhile:\n${measureDiff({ old: shown, new: shown }, was, toPlainText(now)).diff}`;
  };
  return {
    load: async (path: string) => {
      const place = await locate(path, context.terminal);
      guard.check(place, 'write');
      const found = await inspect(place, files);
      if (found === undefined) return { place, before: undefined };
      if (found.size > MAX_SIZE) throw new ToolFailure(`${place.shown} has ${found.size} bytes, too many to patch; use a command`);
      stats.set(place.real, found);
      const bytes = await read(place, context);
      const decoded = decodeBytes(bytes);
      if (decoded === undefined && memory.changed(context, place.real, found.stamp)) stale.push({ place, words: '' });
      if (decoded === undefined) return { place, before: describeOpaque(bytes) };
      const format = detectTextFormat(decoded);
      formats.set(place.real, format);
      if (memory.changed(context, place.real, found.stamp)) stale.push({ place, words: describeChanges(place, decoded.text) });
      return { place, before: stripFormat(decoded.text, format) };
    },
    /** What others changed in the files that were loaded, for an edit that did not find its place. */
    changes: (): string[] => stale.map(({ place, words }) => `${place.shown} has changed since you last read it.${words}`),
    /** All drafts or none; gives the notes the model should read. */
    write: async (drafts: readonly FileDraft[]): Promise<string[]> => {
      refuseLoss(drafts, stale);
      const toBytes = ({ real, shown }: Location, content: FileContent | undefined, format = formats.get(real) ?? PLAIN) =>
        typeof content === 'string' ? applyFormat(content, format, shown) : content?.bytes;
      const writes = drafts.map(({ place, before, now, like, dropped }) => ({
        target: place.real,
        before: toBytes(place, before),
        // A file that was deleted before it was added again is a new one.
        after: toBytes(like ?? place, now, dropped === true && like === undefined ? PLAIN : undefined),
        ...(like !== undefined && { like: like.real }),
      }));
      await commitAll(writes, files, remove);
      for (const { place, now } of drafts) {
        const written = now === undefined ? undefined : await inspect(place, files);
        if (written !== undefined) memory.wrote(context.sessionId, place.real, written.stamp, typeof now === 'string' ? now : undefined);
      }
      const changed = drafts.flatMap((draft) => stale.filter(({ place }) => place.real === draft.place.real));
      const replaced = drafts.filter(({ before, now }) => before !== undefined && now !== undefined);
      const notes = await Promise.all(
        drafts.map(async ({ place, before, now }) =>
          typeof now === 'string' ? reportNewSyntaxError(place.path, typeof before === 'string' ? before : undefined, now, context) : [],
        ),
      );
      return [
        ...changed.map(
          ({ place, words }) =>
            `Warning: ${place.shown} had changed since you last read it; the patch is applied to its present text.${words}`,
        ),
        ...replaced.flatMap(({ place }) => reportHardLinks(place, stats.get(place.real))),
        ...(await reportPlaces(
          drafts.flatMap(({ place, now }) => (now === undefined ? [] : [place])),
          context.terminal,
        )),
        ...notes.flat(),
      ];
    },
  };
}

/** A hunk finds its place in the text as it is now; what is deleted is gone with whatever somebody put there since. */
function refuseLoss(drafts: readonly FileDraft[], stale: readonly { readonly place: Location }[]): void {
  const lost = drafts.find((draft) => draft.dropped === true && stale.some(({ place }) => place.real === draft.place.real));
  if (lost !== undefined)
    throw new ToolFailure(
      `Nothing was changed: ${lost.place.shown} has changed since you last read it, and Delete File would lose that change. Read the file again; delete it if it can still go.`,
    );
}

const read = (place: Location, { terminal, signal }: ToolContext): Promise<Buffer> =>
  readBytes(terminal.files, place.real, signal).catch((error: unknown) => {
    throw toFileFailure('read', place, error);
  });

/** Without what a format adds. */
const toPlainText = (text: string): string => text.replace(/^\u{feff}/u, '').replaceAll('\r\n', '\n');
