import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  futimesSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  symlinkSync,
  utimesSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { UsageError } from '../../../base/errors.ts';
import { holdFolder, type HeldFolder } from './held.ts';

/** Neither a link nor a pipe that waits for somebody. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** A folder is held for each; nobody nests deeper by accident. */
const DEEPEST = 128;

/** A short text of a file that others may have put there; `undefined` when it is none. */
export function readForeignText(path: string, most: number): string | undefined {
  try {
    using file = plainFile(path);
    return file.found.size > most ? undefined : readFileSync(file.number, 'utf8');
  } catch {
    return undefined;
  }
}

/** What something takes, everything below it included. */
export function countForeignBytes(path: string, depth = 0): number {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return found?.size ?? 0;
  using folder = depth < DEEPEST ? holdFolder(path) : undefined;
  if (folder === undefined) return 0;
  return folder.items().reduce((sum, { name }) => sum + countForeignBytes(`${folder.path}/${name}`, depth + 1), 0);
}

/**
 * Copies a file, link or folder that others may change meanwhile, to a place where they may be, too. It is a copy and not
 * the thing itself: whoever still has that open, or a second name for it, has no part in what was brought back.
 */
export function copyForeign(from: string, to: string, depth = 0): void {
  if (depth > DEEPEST) throw new UsageError(`it has more than ${DEEPEST} folders in each other and cannot be brought back.`);
  const found = lstatSync(from);
  if (found.isDirectory()) copyFolder(from, to, found, depth);
  else if (found.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else copyFile(from, to);
}

function copyFolder(from: string, to: string, { mode, atime, mtime }: Stats, depth: number): void {
  mkdirSync(to, 0o700);
  using source = must(holdFolder(from), from);
  using target = must(holdFolder(to), to);
  for (const { name } of source.items()) copyForeign(`${source.path}/${name}`, `${target.path}/${name}`, depth + 1);
  utimesSync(target.path, atime, mtime);
  chmodSync(target.path, mode & 0o777);
}
function must(found: HeldFolder | undefined, path: string): HeldFolder {
  if (found === undefined) throw new Error(`${path} was changed while it was copied`);
  return found;
}

function copyFile(from: string, to: string): void {
  using source = plainFile(from);
  // `x`: a name that is new, so that no link can stand there.
  const target = openSync(to, 'wx', 0o600);
  try {
    const room = Buffer.alloc(256 * 1024);
    for (let count = readSync(source.number, room); count > 0; count = readSync(source.number, room))
      for (let at = 0; at < count;) at += writeSync(target, room, at, count - at);
    futimesSync(target, source.found.atime, source.found.mtime);
    fchmodSync(target, source.found.mode & 0o777);
  } finally {
    closeSync(target);
  }
}

function plainFile(path: string): Disposable & { readonly number: number; readonly found: Stats } {
  const number = openSync(path, READ);
  const found = fstatSync(number);
  if (found.isFile()) return { number, found, [Symbol.dispose]: () => closeSync(number) };
  closeSync(number);
  throw new UsageError(`${path.slice(path.lastIndexOf('/') + 1)} is a pipe or a device, and those cannot be brought back.`);
}
