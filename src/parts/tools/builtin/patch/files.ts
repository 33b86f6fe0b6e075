import { ToolFailure, type ToolContext } from '../../../../contracts/tool.ts';
import { readBytes } from '../files/content.ts';
import type { FileGuard } from '../files/guarded.ts';
import { inspect } from '../files/inspect.ts';
import { locate, type Location } from '../files/locate.ts';
import type { FileMemory } from '../files/memory.ts';
import { applyFormat, detectTextFormat, stripFormat, type TextFormat } from '../files/text-format.ts';
import { reportNewSyntaxError } from '../files/syntax.ts';
import { reportThrownAway } from '../files/thrown-away.ts';
import { toFileFailure } from '../files/failures.ts';
import { commitAll, type RemoveFile } from './commit.ts';
import { decodeContent, type FileContent } from './content.ts';
import type { FileDraft } from './v4a-plan.ts';

const PLAIN: TextFormat = { eol: 'lf', bom: false };
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
  const shapes = new Map<string, TextFormat>();
  const stale: Location[] = [];
  return {
    load: async (path: string) => {
      const place = await locate(path, context.terminal);
      guard.check(place, 'write');
      const found = await inspect(place, files);
      if (found === undefined) return { place, before: undefined };
      if (found.size > MAX_SIZE) throw new ToolFailure(`${place.shown} has ${found.size} bytes, too many to patch; use a command`);
      if (memory.changed(context, place.real, found.stamp)) stale.push(place);
      const content = await read(place, context);
      if (typeof content !== 'string') return { place, before: content };
      const shape = detectTextFormat(content);
      shapes.set(place.real, shape);
      return { place, before: stripFormat(content, shape) };
    },
    /** All drafts or none; gives the notes the model should read. */
    write: async (drafts: readonly FileDraft[]): Promise<string[]> => {
      refuseLoss(drafts, stale);
      const dressed = ({ real }: Location, content: FileContent | undefined) =>
        typeof content === 'string' ? applyFormat(content, shapes.get(real) ?? PLAIN) : content?.bytes;
      await commitAll(
        drafts.map(({ place, before, now, like }) => ({
          target: place.real,
          before: dressed(place, before),
          after: dressed(like ?? place, now),
          ...(like !== undefined && { like: like.real }),
        })),
        files,
        remove,
      );
      for (const { place, now } of drafts) {
        const written = now === undefined ? undefined : await inspect(place, files);
        if (written !== undefined) memory.wrote(context.sessionId, place.real, written.stamp);
      }
      const changed = stale.filter((place) => drafts.some((draft) => draft.place.real === place.real));
      const notes = await Promise.all(
        drafts.map(async ({ place, before, now }) =>
          typeof now === 'string' ? reportNewSyntaxError(place.path, typeof before === 'string' ? before : undefined, now, context) : [],
        ),
      );
      return [
        ...changed.map(({ shown }) => `Warning: ${shown} had changed since you last read it; the patch is applied to its present text.`),
        ...reportThrownAway(
          drafts.flatMap(({ place, now }) => (now === undefined ? [] : [place])),
          context.terminal,
        ),
        ...notes.flat(),
      ];
    },
  };
}

/** A hunk finds its place in the text as it is now; what is deleted is gone with whatever somebody put there since. */
function refuseLoss(drafts: readonly FileDraft[], stale: readonly Location[]): void {
  const lost = drafts.find(({ place, dropped }) => dropped === true && stale.some(({ real }) => real === place.real));
  if (lost !== undefined)
    throw new ToolFailure(
      `Nothing was changed: ${lost.place.shown} has changed since you last read it, and Delete File would lose that change. Read the file again; delete it if it can still go.`,
    );
}

async function read(place: Location, { terminal, signal }: ToolContext): Promise<FileContent> {
  const bytes = await readBytes(terminal.files, place.real, signal).catch((error: unknown) => {
    throw toFileFailure('read', place, error);
  });
  return decodeContent(bytes);
}
