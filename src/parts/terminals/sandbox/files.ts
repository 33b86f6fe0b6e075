import { constants, lstatSync, readlinkSync } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { readErrorCode } from '../../../base/errors.ts';
import { lazyByKey } from '../../../base/lazy.ts';
import { linkIfThere } from '../../../base/peek.ts';
import { realPath, resolveFromNearestParent } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import { FilesError, isFilesError, type Files } from '../../../contracts/files.ts';
import type { WallFiles } from '../../../contracts/wall.ts';
import { holdOpen, localFiles } from '../files/local.ts';
import { findPathLookup, type PathInside } from './inside-paths.ts';
import { KERNEL_FOLDERS, listSandboxMounts, type SandboxPlan } from './mounts.ts';

export interface WalledFilesOptions {
  /** As the sandbox is now, or will be for the next command. */
  plan(): SandboxPlan;
  /** Makes commands see a file of this machine as it is now; false when that cannot be. */
  show(path: string): Promise<boolean>;
  /** Files that are nowhere on this machine's disk, such as layers and what the kernel makes; asked of a shell inside. */
  readonly inside: Files;
}

/**
 * The files commands see, read and written without a process. A path is followed link by link as it would be inside; then the
 * file is opened, and refused when it is not the one that was found: a link that is swapped meanwhile leads nowhere.
 */
export function createWalledFiles({ plan, inside, show }: WalledFilesOptions): { readonly files: Files; readonly wall: WallFiles } {
  const lookups = new WeakMap<SandboxPlan, PlaceFinder>();
  const finder = (): PlaceFinder => {
    const now = plan();
    const known = lookups.get(now) ?? createFinder(now);
    lookups.set(now, known);
    return known;
  };
  const allowed = { read: new Set<string>(), write: new Set<string>() };
  const place = (path: string, how: 'read' | 'write'): FoundPlace => {
    const found = finder().find(path);
    const fits = found.type === 'host' && (how === 'read' || found.how === 'rw');
    if (fits) return found;
    const real = resolveFromNearestParent(path);
    if (allowed[how].has(real) || (how === 'read' && allowed.write.has(real))) return { type: 'host', path: real, how: 'rw', inside: real };
    if (found.type === 'host' || found.type === 'hidden') throw outside(path, how);
    return found;
  };
  /** Where commands may write anyway, a yes changes nothing. */
  const isAllowed = (path: string): boolean => {
    const found = finder().find(path);
    return allowed.write.has(resolveFromNearestParent(path)) && !(found.type === 'host' && found.how === 'rw');
  };
  return {
    files: createFiles({ place, finder, isAllowed }, inside),
    wall: {
      keepsFrom: (path, how) => {
        const found = finder().find(path);
        return found.type === 'hidden' || (found.type === 'host' && how === 'write' && found.how === 'ro');
      },
      isAllowed,
      show: (path) => show(resolveFromNearestParent(path)),
      allow: (path, how) => void allowed[how].add(resolveFromNearestParent(path)),
      isPlain: (folder) => finder().isPlain(folder),
    },
  };
}

interface PlaceLookup {
  place(path: string, how: 'read' | 'write'): FoundPlace;
  finder(): PlaceFinder;
  isAllowed(path: string): boolean;
}

function createFiles({ place, finder, isAllowed }: PlaceLookup, inside: Files): Files {
  return {
    home: inside.home,
    real: async (path) => {
      const found = finder().find(path);
      return found.type === 'made' ? inside.real(path) : found.inside;
    },
    stat: async (path) => {
      const found = place(path, 'read');
      return found.type === 'host' ? localFiles.stat(found.path) : inside.stat(path);
    },
    read: async function* (path, signal) {
      const found = place(path, 'read');
      if (found.type === 'host') yield* readSame(found.path, path, signal);
      else yield* inside.read(path, signal);
    },
    open: async (path) => {
      const found = place(path, 'read');
      if (found.type !== 'host') return undefined;
      const file = await openSame(found.path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
        throw filesError(error, path, 'opened');
      });
      return holdOpen(file, found.inside);
    },
    write: async (path, bytes) => {
      const found = place(path, 'write');
      if (found.type !== 'host') return inside.write(path, bytes);
      return inFolder(dirname(found.path), (folder) => localFiles.write(join(folder, basename(found.path)), bytes), 'make');
    },
    rename: async (from, to) => {
      const [one, other] = [placeOfName(from, place, isAllowed), placeOfName(to, place, isAllowed)];
      if (one.type !== 'host' || other.type !== 'host') return inside.rename(from, to);
      return inFolder(dirname(one.path), (folder) =>
        inFolder(dirname(other.path), (target) => localFiles.rename(join(folder, basename(one.path)), join(target, basename(other.path)))),
      );
    },
    remove: async (path) => {
      const found = placeOfName(path, place, isAllowed);
      return found.type === 'host'
        ? inFolder(dirname(found.path), (folder) => localFiles.remove(join(folder, basename(found.path))))
        : inside.remove(path);
    },
    list: async (path) => {
      const found = place(path, 'read');
      return found.type === 'host' ? inFolder(found.path, (folder) => localFiles.list(folder)) : inside.list(path);
    },
  };
}

/** A name itself, whatever it leads to: its folder is followed, the last part is not. */
function placeOfName(
  path: string,
  place: (path: string, how: 'read' | 'write') => FoundPlace,
  isAllowed: (path: string) => boolean,
): FoundPlace {
  const own = isAllowed(path) ? place(path, 'write') : undefined;
  if (own !== undefined) return own;
  const folder = place(dirname(path), 'write');
  return folder.type === 'host' ? { ...folder, path: join(folder.path, basename(path)) } : folder;
}

type FoundPlace =
  | { readonly type: 'host'; readonly path: string; readonly how: 'rw' | 'ro'; readonly inside: string }
  /** Something the sandbox makes. */
  | { readonly type: 'made' }
  /** On this machine there is something, and inside there is not. */
  | { readonly type: 'hidden'; readonly inside: string };
interface PlaceFinder {
  find(path: string): FoundPlace;
  isPlain(folder: string): boolean;
}

/** More links in a row than this are a ring. */
const MAX_LINKS = 40;

function createFinder(plan: SandboxPlan): PlaceFinder {
  const lookup = findPathLookup(plan);
  const mounts = listSandboxMounts(plan);
  const covers = mounts.filter((mount) => !('from' in mount) || mount.from !== mount.at).map(({ at }) => at);
  const real = lazyByKey((from) => realPath(from) ?? from);
  const isAbove = (path: string): boolean => mounts.some(({ at }) => isWithin(path, at));
  const madeHere = new Set<string>([...KERNEL_FOLDERS, '/run', ...plan.caches.map((cache) => cache.path)]);
  const made = (path: string): FoundPlace => {
    const found = lookup(path);
    const isHidden = plan.profile === 'attended' && found.type === 'made' && !madeHere.has(found.mount.at) && !isAbove(path);
    return isHidden && lstatSync(path, { throwIfNoEntry: false }) !== undefined ? { type: 'hidden', inside: path } : { type: 'made' };
  };
  const onHost = (found: PathInside & { readonly type: 'host' }): string => join(real(found.from), found.path.slice(found.from.length));
  const find = (path: string): FoundPlace => {
    let [done, todo, links] = ['/', partsOf(path), MAX_LINKS];
    for (let part = todo.shift(); part !== undefined; part = todo.shift()) {
      const next = part === '..' ? dirname(done) : join(done, part);
      const found = lookup(next);
      const target = part === '..' ? undefined : found.type === 'host' ? linkIfThere(onHost(found)) : linkOf(found, next);
      if (target !== undefined && links-- > 0) {
        todo = [...target.split('/').filter(isPart), ...todo];
        done = target.startsWith('/') ? '/' : done;
        continue;
      }
      if (found.type === 'made' && !isAbove(next)) return made(join(next, ...todo));
      done = next;
    }
    const found = lookup(done);
    return found.type === 'host' ? { type: 'host', path: onHost(found), how: found.how, inside: done } : made(done);
  };
  return { find, isPlain: (folder) => plainAt(find(folder), folder) && !covers.some((at) => at !== folder && isWithin(folder, at)) };
}
const plainAt = (found: FoundPlace, folder: string): boolean => found.type === 'host' && found.path === folder;
const isPart = (part: string): boolean => part !== '' && part !== '.';
const partsOf = (path: string): string[] => resolve(path).split('/').filter(isPart);
const linkOf = (found: PathInside, path: string): string | undefined =>
  found.type === 'made' && found.mount.how === 'link' && found.mount.at === path ? found.mount.to : undefined;

const outside = (path: string, how: 'read' | 'write'): FilesError =>
  new FilesError(
    how === 'read' ? 'EACCES' : 'EROFS',
    how === 'read'
      ? `${path} could not be read: it lies outside the sandbox, which hides it.`
      : `${path} could not be written: it lies outside the folders that the sandbox lets be written to.`,
  );

/** What fits is read at once. */
const CHUNK = 1 << 18;

async function* readSame(host: string, path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const file = await openSame(host, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    throw filesError(error, path, 'read');
  });
  try {
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK);
      if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
      if (bytesRead < CHUNK) return;
    }
  } catch (error) {
    throw signal.aborted ? error : filesError(error, path, 'read');
  } finally {
    await file.close();
  }
}

/** Opens a file by its real path and makes sure that it is the one: no link on the way was put there meanwhile. */
async function openSame(path: string, flags: number): Promise<FileHandle> {
  const file = await open(path, flags | constants.O_NOFOLLOW);
  const opened = readlinkSync(`/proc/self/fd/${file.fd}`);
  if (opened === path) return file;
  await file.close();
  throw new FilesError('EACCES', `${path} was not opened: another file took its place meanwhile.`);
}

/** Works in a folder that cannot be swapped while it does, under a name that means this folder alone. Missing ones are made if asked. */
async function inFolder<Value>(folder: string, work: (held: string) => Promise<Value>, missing?: 'make'): Promise<Value> {
  const held = await openSame(folder, constants.O_RDONLY | constants.O_DIRECTORY).catch((error: unknown) => {
    if (missing === undefined || readErrorCode(error) !== 'ENOENT' || dirname(folder) === folder) throw filesError(error, folder, 'opened');
    return undefined;
  });
  if (held === undefined) {
    await inFolder(dirname(folder), (above) => mkdir(join(above, basename(folder))).catch(alreadyThere), missing);
    return inFolder(folder, work, missing);
  }
  const name = `/proc/self/fd/${held.fd}`;
  try {
    return await work(name);
  } catch (error) {
    throw isFilesError(error)
      ? new FilesError(error.code, error.message.replaceAll(name, folder), error)
      : filesError(error, folder, 'opened');
  } finally {
    await held.close();
  }
}

function alreadyThere(error: unknown): void {
  if (readErrorCode(error) !== 'EEXIST') throw error;
}

function filesError(error: unknown, path: string, done: string): FilesError {
  if (isFilesError(error)) return error;
  const code = readErrorCode(error);
  return new FilesError(
    code === '' ? 'EIO' : code,
    `${path} could not be ${done}: ${error instanceof Error ? error.message : String(error)}`,
    error,
  );
}
