import { existsSync, lstatSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync, type Dirent } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { resolveById } from '../../../base/by-id.ts';
import { UsageError } from '../../../base/errors.ts';
import { withFileLock } from '../../../base/file-lock.ts';
import { FileLockError } from '../../../base/holder-file.ts';
import { makeFolder } from '../../../base/folders.ts';
import { createTimeId } from '../../../base/ids.ts';
import { replaceFile } from '../../../base/replace-file.ts';
import { listBoxThings, clearBoxes, restoreFromBox, pickExcessThings } from './box-keeping.ts';
import type { BoxThing } from './boxes.ts';
import { CONTENT, META, readMeta, type TrashMeta } from './meta.ts';
import { countBytesBelow, findErrorCode, move } from './move.ts';

export interface TrashedFile extends TrashMeta {
  readonly id: string;
}
export interface TrashLimits {
  readonly keepMs: number;
  readonly maxBytes: number;
}

/**
 * A place for what tools delete: `<day>/<id>/{meta.json, content}`, and boxes of the same kind, one for each sandbox. Things
 * stay until they are too old or too many.
 */
export interface Trash {
  /** Takes a file, link or folder away. It is either still in its place or listed here, whenever the process ends. */
  put(path: string, by: string): Promise<TrashedFile>;
  /** Newest first. */
  list(): TrashedFile[];
  /** Puts it back where it lay, or elsewhere. Never in place of something that is there. Gives where it is now. */
  restore(id: string, to?: string): Promise<string>;
  /** For good. Gives how many things and bytes that were. */
  empty(): Promise<{ readonly things: number; readonly bytes: number }>;
  /** What is too old or too much, oldest first. Does nothing while somebody is at the trash. */
  prune(): Promise<number>;
}

const HOUR_MS = 3_600_000;
/** Somebody may still be at it: `rm` in a sandbox knows no lock. */
const FRESH_MS = 600_000;

export function openTrash(folder: string, limits: TrashLimits, now: () => number = Date.now): Trash {
  const lock = join(folder, 'trash');
  const prune = () => pruneNow(folder, limits, now());
  return {
    put: (path, by) =>
      withFileLock(lock, () => {
        const trashed = putAway(folder, path, by, now());
        if (isDue(folder, now())) prune();
        return trashed;
      }),
    list: () => everything(folder, now()).map(plain),
    restore: (id, to) => withFileLock(lock, () => bringBack(folder, theOne(everything(folder, now()), id), to)),
    empty: () => withFileLock(lock, () => emptyNow(folder, now())),
    prune: async () => {
      try {
        return await withFileLock(lock, prune, { waitMs: 0 });
      } catch (error) {
        if (error instanceof FileLockError) return 0;
        throw error;
      }
    },
  };
}

type TrashThing = (TrashedFile & { readonly place: string }) | BoxThing;
const plain = ({ id, path, at, bytes, by }: TrashThing): TrashedFile => ({ id, path, at, bytes, ...(by !== undefined && { by }) });

/** Ours and that of every box, newest first. */
const everything = (folder: string, now: number): TrashThing[] =>
  [...ours(folder), ...listBoxThings(folder, now)].toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1));

/** The words beside it come first: content nobody knows the place of would be as good as lost. */
function putAway(folder: string, path: string, by: string, at: number): TrashedFile {
  const id = createTimeId('d', at);
  const place = join(folder, dayOf(at), id);
  const meta: TrashMeta = { path: resolve(path), at, bytes: countBytesBelow(path), by };
  makeFolder(place);
  try {
    replaceFile(join(place, META), `${JSON.stringify(meta)}\n`, 0o600);
    move(path, join(place, CONTENT));
  } catch (error) {
    if (!existsSync(join(place, CONTENT))) rmSync(place, { recursive: true, force: true });
    throw error;
  }
  return { ...meta, id };
}

/** By its id, by the beginning of it, or, of something in a box, by what follows the name of the box. */
const theOne = (all: readonly TrashThing[], ref: string): TrashThing =>
  resolveById(ref, all, ({ id }) => [id, id.slice(id.indexOf('.') + 1)], { what: 'item in the trash', shownBy: 'hermes trash list' });

function bringBack(folder: string, thing: TrashThing, to: string | undefined): string {
  try {
    return 'box' in thing ? restoreFromBox(folder, thing, to) : takeOut(thing.place, to ?? thing.path);
  } catch (error) {
    if (findErrorCode(error) !== 'EEXIST') throw error;
    throw new UsageError(
      `${to ?? thing.path} is there again and is not overwritten; move it away, or restore to another place with --to PATH.`,
    );
  }
}

function takeOut(place: string, target: string): string {
  makeFolder(dirname(target), 0o777);
  move(join(place, CONTENT), target);
  rmSync(place, { recursive: true, force: true });
  return target;
}

const ours = (folder: string): (TrashedFile & { readonly place: string })[] =>
  places(folder).flatMap((place) => {
    const meta = isWhole(place) ? readMeta(place) : undefined;
    return meta === undefined ? [] : [{ ...meta, id: idOf(place), place }];
  });

function emptyNow(folder: string, now: number): { readonly things: number; readonly bytes: number } {
  const all = everything(folder, now);
  for (const place of places(folder)) rmSync(place, { recursive: true, force: true });
  clearDays(folder);
  clearBoxes(folder, 'all', now);
  return { things: all.length, bytes: bytesIn(all) };
}

/** What boxes hold gives way to what is ours, and never the other way round: a sandbox may put in as much as it likes. */
function pruneNow(folder: string, { keepMs, maxBytes }: TrashLimits, now: number): number {
  const isOld = ({ at }: TrashThing) => at < now - keepMs;
  const isFresh = ({ at }: TrashThing) => at > now - FRESH_MS;
  const own = ours(folder).toSorted((one, other) => one.at - other.at);
  const kept = own.filter((thing) => !isOld(thing));
  while (bytesIn(kept) > maxBytes && kept[0] !== undefined && !isFresh(kept[0])) kept.shift();
  const going = own.filter((thing) => !kept.includes(thing));
  for (const { place } of going) rmSync(place, { recursive: true, force: true });
  for (const place of places(folder))
    if (!isWhole(place) && changedAt(place) < now - 24 * HOUR_MS) rmSync(place, { recursive: true, force: true });
  clearDays(folder);
  const boxed = listBoxThings(folder, now);
  const young = boxed.filter((thing) => !isOld(thing));
  const leaving = new Set([...boxed.filter(isOld).map(({ id }) => id), ...pickExcessThings(young, maxBytes - bytesIn(kept), isFresh)]);
  clearBoxes(folder, leaving, now);
  return going.length + leaving.size;
}
const bytesIn = (things: readonly TrashThing[]): number => things.reduce((sum, { bytes }) => sum + bytes, 0);

/** Looked through once an hour at most. */
function isDue(folder: string, now: number): boolean {
  const mark = join(folder, '.pruned');
  if (changedAt(mark) > now - HOUR_MS) return false;
  writeFileSync(mark, '', { mode: 0o600 });
  utimesSync(mark, now / 1_000, now / 1_000);
  return true;
}

/** Words that are no plain file nobody reads: a pipe would never end, a link leads elsewhere. */
const isWhole = (place: string): boolean =>
  lstatSync(join(place, META), { throwIfNoEntry: false })?.isFile() === true &&
  lstatSync(join(place, CONTENT), { throwIfNoEntry: false }) !== undefined;
const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const idOf = (place: string): string => place.slice(place.lastIndexOf('/') + 1);

const DAY = /^\d{8}$/;
const days = (folder: string): string[] => folders(folder).filter((name) => DAY.test(name));
const places = (folder: string): string[] => days(folder).flatMap((day) => folders(join(folder, day)).map((id) => join(folder, day, id)));

function clearDays(folder: string): void {
  for (const day of days(folder)) if (names(join(folder, day)).length === 0) rmSync(join(folder, day), { recursive: true, force: true });
}

const names = (folder: string): string[] => itemsOf(folder).map(({ name }) => name);

/** Never a link: by one we would tidy up anywhere on the disk. */
const folders = (folder: string): string[] => itemsOf(folder).flatMap((item) => (item.isDirectory() ? [item.name] : []));

function itemsOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The day where the owner is, as `rm` in a sandbox writes it. */
function dayOf(at: number): string {
  const day = new Date(at);
  return `${day.getFullYear()}${String(day.getMonth() + 1).padStart(2, '0')}${String(day.getDate()).padStart(2, '0')}`;
}
