import { lstatSync, readdirSync, readlinkSync, type Dirent, type Stats } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';

/** One name below a folder, as a look at it tells. */
export interface SeenEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link';
  readonly size: number;
  readonly mode: number;
  readonly target?: string;
  /** Changes whenever the file does, short of two changes within one tick of the disk's clock. */
  readonly stamp: string;
  /** When it last changed in any way; nobody can set this back. */
  readonly changedAt: number;
}
export interface ScanBounds {
  readonly maxFiles: number;
  /** Absolute paths that are never looked into. */
  readonly apart: readonly string[];
}

/** More names than the bounds allow. */
export class TooManyFiles extends Error {
  readonly code = 'too_many_files';
}

/** Everything below a folder that may be kept. Links are seen, never followed. Gives way to others now and then. */
export async function scan(root: string, { maxFiles, apart }: ScanBounds): Promise<SeenEntry[]> {
  const found: SeenEntry[] = [];
  const open = [''];
  let looked = 0;
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const item of itemsOf(folder === '' ? root : under(root, folder), folder === '')) {
      const path = folder === '' ? item.name : `${folder}/${item.name}`;
      if ((item.isDirectory() && isSkippedFolder(item.name)) || OURS.test(item.name) || apart.includes(under(root, path))) continue;
      const seen = statEntry(root, path);
      if (seen === undefined) continue;
      found.push(seen);
      if (found.length > maxFiles) throw new TooManyFiles(`more than ${maxFiles} files lie below ${root}`);
      if (seen.kind === 'folder') open.push(path);
    }
    if (++looked % 64 === 0) await new Promise((next) => setImmediate(next));
  }
  return found;
}

/** Whether a look at all below `root` comes to a file: it does not go into folders that are had from elsewhere, nor into caches. */
export function isScanned(root: string, path: string): boolean {
  const folders = relative(root, path).split(sep).slice(0, -1);
  const isClosed = (name: string, at: number): boolean =>
    isSkippedFolder(name) || [...MARKS].some((mark) => tryLstat(join(root, ...folders.slice(0, at + 1), mark)) !== undefined);
  return !OURS.test(basename(path)) && !folders.some(isClosed);
}

/** Both are plain already; `join` would look at every letter again. */
const under = (root: string, path: string): string => (root === '/' ? `/${path}` : `${root}/${path}`);

/** Files on their way to their place. */
const OURS = /^\.hermes-.*\.tmp$/;

/** A folder that went away or is closed to us has nothing in it; one that calls itself a cache neither, unless it is the very one asked for. */
function itemsOf(folder: string, chosen: boolean): Dirent[] {
  try {
    const items = readdirSync(folder, { withFileTypes: true });
    return !chosen && items.some(({ name }) => isMark(name)) ? [] : items;
  } catch {
    return [];
  }
}

/** One name, its last link not followed; `undefined` for nothing and for what is no file (pipes, sockets, devices). */
export function statEntry(root: string, path: string): SeenEntry | undefined {
  try {
    const full = under(root, path);
    const found = tryLstat(full);
    const kind = found === undefined ? undefined : kindOf(found);
    if (found === undefined || kind === undefined) return undefined;
    const { size, mode, ino, mtimeMs, ctimeMs } = found;
    return {
      path,
      kind,
      size,
      mode: mode & 0o7777,
      stamp: `${ino}.${size}.${mtimeMs}.${ctimeMs}.${mode}`,
      changedAt: ctimeMs,
      ...(kind === 'link' && { target: readlinkSync(full) }),
    };
  } catch {
    return undefined;
  }
}

/** A look at a name itself; what cannot be looked at (a file where a folder should be, a closed folder) is not there. */
export function tryLstat(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

const kindOf = (found: Stats): SeenEntry['kind'] | undefined =>
  found.isFile() ? 'file' : found.isDirectory() ? 'folder' : found.isSymbolicLink() ? 'link' : undefined;

/** Folders whose contents can be had again from elsewhere, or that keep their own history. */
const SKIPPED: ReadonlySet<string> = new Set(
  `.git .hg .svn .jj node_modules bower_components .venv venv virtualenv .virtualenv __pycache__ .tox .nox .mypy_cache .pytest_cache
  .ruff_cache .ipynb_checkpoints .gradle .cache .parcel-cache .turbo .next .nuxt .svelte-kit .yarn .pnpm-store .terraform .dart_tool
  .eggs .build DerivedData .nyc_output`
    .split(/\s+/)
    .filter((name) => name !== ''),
);
/** A Python environment, and a cache by its maker's own word, whatever the folder is called. */
const MARKS: ReadonlySet<string> = new Set(['pyvenv.cfg', 'CACHEDIR.TAG']);

export const isSkippedFolder = (name: string): boolean => SKIPPED.has(name);
const isMark = (name: string): boolean => MARKS.has(name);
