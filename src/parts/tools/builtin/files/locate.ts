import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { Files } from '../../../../contracts/files.ts';
import { hasLocalFiles, type Terminal } from '../../../../contracts/terminal.ts';
import { ToolFailure } from '../../../../contracts/tool.ts';

/** A path as the model gave it, and where it really leads in the place commands run in. */
export interface Location {
  /** Absolute, links not followed: what people call the file. */
  readonly path: string;
  /** Links followed as far as something exists: what the file is. */
  readonly real: string;
  /** Short form for messages: relative below the working folder, absolute elsewhere. */
  readonly shown: string;
  /** The home folder of the place, as it is called and as it is. */
  readonly homes: readonly string[];
}
/** Where a path is meant from. */
export type PathBase = Pick<Terminal, 'cwd' | 'files'>;

/** `~`, relative and absolute paths alike. */
export async function locate(given: string, { cwd, files }: PathBase): Promise<Location> {
  const path = absolute(given, cwd, files.home);
  // Asked of a far place it would end the question in its middle.
  if (path.includes('\0')) throw new ToolFailure(`${JSON.stringify(given)} could not be opened: the path holds a NUL character.`);
  const [real, homes] = await Promise.all([files.real(path), homesOf(files)]);
  return { path, real, shown: shorten(path, cwd), homes };
}

const homes = new WeakMap<Files, Promise<readonly string[]>>();
function homesOf(files: Files): Promise<readonly string[]> {
  const known = homes.get(files) ?? files.real(files.home).then((real) => [...new Set([files.home, real])]);
  homes.set(files, known);
  // A place that could not be reached once is asked again.
  known.catch(() => homes.delete(files));
  return known;
}

const absolute = (given: string, cwd: string, home: string): string =>
  resolve(cwd, given === '~' || given.startsWith('~/') ? join(home, given.slice(1)) : given);

/** What can be known of a path without asking the place it lies in. */
export interface PathResolution {
  readonly cwd: () => string;
  /** The home folder there; absent for this machine's. */
  readonly home?: () => string;
  /** Links followed without waiting; absent for those of this machine's disk. */
  readonly follow?: (path: string) => string;
}

/** Far away a name stands for itself: two names of one file are then two resources. */
export const createPathResolution = (terminal: Pick<Terminal, 'cwd' | 'kind' | 'files'>): PathResolution => ({
  cwd: () => terminal.cwd,
  home: () => terminal.files.home,
  ...(!hasLocalFiles(terminal.kind) && { follow: (path: string) => path }),
});

/** The resource name under which calls on the same file clash, whatever they call it. */
export const toPathResource = (given: string, { cwd, home = homedir, follow = resolveCanonicalPath }: PathResolution): string =>
  `path:${follow(absolute(given, cwd(), home()))}`;

export function shorten(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === '' ? '.' : short.startsWith('..') || isAbsolute(short) ? path : short;
}

/** More links in a row than this are a ring. */
const MAX_LINKS = 20;

/** The real path on this machine of what exists; what does not exist yet is named below its nearest existing parent. */
export function resolveCanonicalPath(path: string, links = MAX_LINKS): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    if (parent === path || links === 0) return path;
    const target = danglingTarget(path);
    return target === undefined ? join(resolveCanonicalPath(parent, links), basename(path)) : resolveCanonicalPath(target, links - 1);
  }
}

/** A link whose target does not exist yet: a write makes the target, not a file in place of the link. */
function danglingTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? resolve(dirname(path), readlinkSync(path)) : undefined;
  } catch {
    return undefined;
  }
}
