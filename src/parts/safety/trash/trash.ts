import { existsSync, lstatSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync, type Dirent } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { FileLockError, withFileLock } from '../../../base/file-lock.ts';
import { makeFolder } from '../../../base/folders.ts';
import { timeId } from '../../../base/ids.ts';
import { replaceFile } from '../../../base/replace-file.ts';
import { CONTENT, META, readMeta, type Meta } from './meta.ts';
import { bytesOf, codeOf, move } from './move.ts';

export interface Trashed extends Meta {
  readonly id: string;
}
export interface TrashLimits {
  readonly keepMs: number;
  readonly maxBytes: number;
}

/** A place for what tools delete: `<day>/<id>/{meta.json, content}`. Things stay until they are too old or too many. */
export interface Trash {
  /** Takes a file, link or folder away. It is either still in its place or listed here, whenever the process ends. */
  put(path: string, by: string): Promise<Trashed>;
  /** Newest first. */
  list(): Trashed[];
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
    list: () => listed(folder),
    restore: (id, to) => withFileLock(lock, () => takeOut(folder, id, to)),
    empty: () =>
      withFileLock(lock, () => {
        const all = listed(folder);
        for (const place of places(folder)) rmSync(place, { recursive: true, force: true });
        clearDays(folder);
        return { things: all.length, bytes: all.reduce((sum, { bytes }) => sum + bytes, 0) };
      }),
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

/** The words beside it come first: content nobody knows the place of would be as good as lost. */
function putAway(folder: string, path: string, by: string, at: number): Trashed {
  const id = timeId('d', at);
  const place = join(folder, dayOf(at), id);
  const meta: Meta = { path: resolve(path), at, bytes: bytesOf(path), by };
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

function takeOut(folder: string, id: string, to: string | undefined): string {
  const found = places(folder).filter((place) => idOf(place).startsWith(id) && isWhole(place));
  const [place, ...others] = found;
  if (place === undefined) throw new UsageError(`there is no ${id} in the trash; hermes trash list shows what is.`);
  if (others.length > 0) throw new UsageError(`${id} may mean ${found.map(idOf).join(' or ')}; give more of the id.`);
  const target = to ?? readMeta(place)?.path ?? '';
  try {
    makeFolder(dirname(target), 0o777);
    move(join(place, CONTENT), target);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new UsageError(`${target} is there again and is not overwritten; move it away, or restore to another place with --to PATH.`);
  }
  rmSync(place, { recursive: true, force: true });
  return target;
}

const listed = (folder: string): Trashed[] =>
  places(folder)
    .flatMap((place) => {
      const meta = isWhole(place) ? readMeta(place) : undefined;
      return meta === undefined ? [] : [{ ...meta, id: idOf(place) }];
    })
    .toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1));

function pruneNow(folder: string, { keepMs, maxBytes }: TrashLimits, now: number): number {
  const all = listed(folder);
  let total = all.reduce((sum, { bytes }) => sum + bytes, 0);
  const going = new Set<string>();
  for (const { id, at, bytes } of all.toReversed()) {
    if (at >= now - keepMs && (total <= maxBytes || at > now - FRESH_MS)) continue;
    going.add(id);
    total -= bytes;
  }
  for (const place of places(folder))
    if (going.has(idOf(place)) || (!isWhole(place) && changedAt(place) < now - 24 * HOUR_MS))
      rmSync(place, { recursive: true, force: true });
  clearDays(folder);
  return going.size;
}

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

/** Commands in a sandbox write here too: by a link they would have us tidy up anywhere on the disk. */
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
