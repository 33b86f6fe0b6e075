import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';

/** A path as the model gave it, and where it really leads. */
export interface Location {
  /** Absolute, links not followed: what people call the file. */
  readonly path: string;
  /** Links followed as far as something exists: what the file is. */
  readonly real: string;
  /** Short form for messages: relative below the working folder, absolute elsewhere. */
  readonly shown: string;
}

/** `~`, relative and absolute paths alike. Never throws: a path nobody can follow is located as it was written. */
export function locate(given: string, cwd: string): Location {
  const path = resolve(cwd, given === '~' || given.startsWith('~/') ? join(homedir(), given.slice(1)) : given);
  return { path, real: canonical(path), shown: shorten(path, cwd) };
}

/** The resource name under which calls on the same file clash, whatever they call it. */
export const resourceOf = (given: string, cwd: string): string => `path:${locate(given, cwd).real}`;

export function shorten(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === '' ? '.' : short.startsWith('..') || isAbsolute(short) ? path : short;
}

/** More links in a row than this are a ring. */
const MAX_LINKS = 20;

/** The real path of what exists; what does not exist yet is named below its nearest existing parent. */
export function canonical(path: string, links = MAX_LINKS): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    if (parent === path || links === 0) return path;
    const target = danglingTarget(path);
    return target === undefined ? join(canonical(parent, links), basename(path)) : canonical(target, links - 1);
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
