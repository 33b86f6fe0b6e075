import { isUtf8 } from 'node:buffer';
import { ToolFailure, type ToolContext } from '../../../../contracts/tool.ts';
import { bytesOf } from '../files/content.ts';
import type { Guard } from '../files/guarded.ts';
import { inspect } from '../files/inspect.ts';
import { locate, type Location } from '../files/locate.ts';
import type { FileMemory } from '../files/memory.ts';
import { dress, shapeOf, undress, type Shape } from '../files/shape.ts';
import { binaryKind, SNIFFED } from '../files/sniff.ts';
import { syntaxNote } from '../files/syntax.ts';
import { trouble } from '../files/trouble.ts';
import { commitAll, type Remove } from './commit.ts';
import type { Draft } from './v4a-plan.ts';

const PLAIN: Shape = { eol: 'lf', bom: false };
/** Larger files are for commands. */
const MAX_SIZE = 64_000_000;

export interface OpenOptions {
  readonly guard: Guard;
  readonly memory: FileMemory;
  readonly remove?: Remove;
}

/** The files one call works on: read as text without line-end quirks, written back with them. */
export function openFiles({ guard, memory, remove }: OpenOptions, context: ToolContext) {
  const { files } = context.terminal;
  const shapes = new Map<string, Shape>();
  const stale: Location[] = [];
  return {
    load: async (path: string) => {
      const place = await locate(path, context.terminal);
      guard.check(place, 'write');
      const found = await inspect(place, files);
      if (found === undefined) return { place, before: undefined };
      if (found.size > MAX_SIZE) throw new ToolFailure(`${place.shown} has ${found.size} bytes, too many to patch; use a command`);
      if (memory.changed(context.sessionId, place.real, found.stamp)) stale.push(place);
      const text = await readText(place, context);
      const shape = shapeOf(text);
      shapes.set(place.real, shape);
      return { place, before: undress(text, shape) };
    },
    /** All drafts or none; gives the notes the model should read. */
    write: async (drafts: readonly Draft[]): Promise<string[]> => {
      const dressed = ({ real }: Location, text: string | undefined) =>
        text === undefined ? undefined : dress(text, shapes.get(real) ?? PLAIN);
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
        if (written !== undefined) memory.know(context.sessionId, place.real, written.stamp);
      }
      const changed = stale.filter((place) => drafts.some((draft) => draft.place.real === place.real));
      const notes = await Promise.all(
        drafts.map(async ({ place, before, now }) => (now === undefined ? [] : syntaxNote(place.path, before, now))),
      );
      return [
        ...changed.map(({ shown }) => `Warning: ${shown} had changed since you last read it; the patch is applied to its present text.`),
        ...notes.flat(),
      ];
    },
  };
}

async function readText(place: Location, { terminal, signal }: ToolContext): Promise<string> {
  const bytes = await bytesOf(terminal.files, place.real, signal).catch((error: unknown) => {
    throw trouble('read', place, error);
  });
  const kind = binaryKind(bytes.subarray(0, SNIFFED));
  if (kind !== undefined) throw new ToolFailure(`Refused: ${place.shown} is not text, it is ${kind}.`);
  if (!isUtf8(bytes))
    throw new ToolFailure(
      `Refused: ${place.shown} is not valid UTF-8, and patching would damage it; convert it first (iconv) or edit it with a command.`,
    );
  return bytes.toString('utf8');
}
