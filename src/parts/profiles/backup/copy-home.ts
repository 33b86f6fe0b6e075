import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { isMissing } from '../../../base/errors.ts';
import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import { isBackedUp } from './contents.ts';

/** Agents of guests and plugins write below these: a link there may lead to whatever they must not read, or round in circles. */
const FOREIGN_FOLDERS = ['workspaces', 'plugin-data'] as const;
/** A longer name may not fit where the copy lies. */
const MAX_FOREIGN_NAME = 3_000;
/** Folders within folders: names of one letter would nest deeper than a call can. */
const MAX_FOREIGN_DEPTH = 200;

interface HomeEntry {
  readonly path: string;
  readonly to: string;
  /** The real folders it lies in, links followed, the nearest last: one that leads back to them is not entered again. */
  readonly above: readonly string[];
  /** The folder of others that it lies in. */
  readonly fence?: string;
}
interface Copying {
  readonly home: string;
  readonly foreign: readonly string[];
  /** What was not copied because others could have chosen what it leads to. */
  leftOut: number;
}

/** Copies what belongs into a backup and follows the owner's links. Gives how many links and unreadable files of others were left out. */
export function copyHome(home: string, to: string): number {
  const copying: Copying = { home, foreign: FOREIGN_FOLDERS.flatMap((name) => realPath(join(home, name)) ?? []), leftOut: 0 };
  // The copy may lie below the home, or where a link of the owner leads.
  const above = [to, home].flatMap((folder) => realPath(folder) ?? []);
  for (const name of readdirSync(home)) copyEntry({ path: join(home, name), to: join(to, name), above }, copying);
  return copying.leftOut;
}

function copyEntry(entry: HomeEntry, copying: Copying): void {
  if (!isBackedUp(relative(copying.home, entry.path))) return;
  if (entry.fence !== undefined) return copyForeign(entry, entry.fence, copying);
  const kind = statSync(entry.path, { throwIfNoEntry: false });
  if (kind?.isFile() === true) tolerateMissing(() => copyFileSync(entry.path, entry.to, constants.COPYFILE_FICLONE));
  const real = kind?.isDirectory() === true ? realPath(entry.path) : undefined;
  if (kind === undefined || real === undefined || entry.above.includes(real)) return;
  const names = tolerateMissing(() => readdirSync(entry.path)) ?? [];
  copyFolder(entry, { real, names, mode: kind.mode }, copying);
}

interface FolderContent {
  readonly real: string;
  readonly names: readonly string[];
  readonly mode: number;
}

function copyFolder({ path, to, above, fence }: HomeEntry, { real, names, mode }: FolderContent, copying: Copying): void {
  mkdirSync(to, { mode: (mode & 0o777) | 0o700 });
  const inside = fence ?? findFence(real, above.at(-1) ?? '', copying);
  const shared = { above: [...above, real], ...(inside !== undefined && { fence: inside }) };
  for (const name of names) copyEntry({ path: join(path, name), to: join(to, name), ...shared }, copying);
}

/** Judged by where it really lies: a link of the owner may lead into such a folder, or keep one of them elsewhere. */
const findFence = (real: string, parent: string, { foreign }: Copying): string | undefined =>
  foreign.some((root) => parent === root || (real !== root && isWithin(root, real))) ? real : undefined;

/** What others wrote is copied as it lies there. What cannot be read is theirs to lose, and does not end the backup. */
function copyForeign(entry: HomeEntry, fence: string, copying: Copying): void {
  const kind = tryRead(() => lstatSync(entry.path, { throwIfNoEntry: false }));
  if (kind?.isDirectory() !== true && kind?.isFile() !== true && kind?.isSymbolicLink() !== true) return;
  const isCopied =
    !kind.isSymbolicLink() &&
    entry.above.length <= MAX_FOREIGN_DEPTH &&
    Buffer.byteLength(relative(copying.home, entry.path)) <= MAX_FOREIGN_NAME &&
    (kind.isFile() ? copyForeignFile(entry, fence) : copyForeignFolder(entry, fence, kind.mode, copying));
  if (!isCopied) copying.leftOut++;
}

function copyForeignFolder(entry: HomeEntry, fence: string, mode: number, copying: Copying): boolean {
  const [real, names] = [realPath(entry.path), tryRead(() => readdirSync(entry.path))];
  if (real === undefined || names === undefined || !isWithin(fence, real)) return false;
  copyFolder(entry, { real, names, mode }, copying);
  return true;
}

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const CHUNK = 1024 * 1024;

/** Judges the file that was opened: a folder on the way may have become a link since the last look. */
function copyForeignFile({ path, to }: HomeEntry, fence: string): boolean {
  const from = tryRead(() => openSync(path, READ));
  if (from === undefined) return false;
  try {
    const [kind, where] = [fstatSync(from), realPath(process.platform === 'linux' ? `/proc/self/fd/${from}` : path)];
    if (!kind.isFile() || where === undefined || !isWithin(fence, where)) return false;
    writeOpened(from, to, kind.mode & 0o777);
    return true;
  } finally {
    closeSync(from);
  }
}

function writeOpened(from: number, to: string, mode: number): void {
  const target = openSync(to, 'wx', mode);
  try {
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let length = readSync(from, chunk); length > 0; length = readSync(from, chunk)) writeSync(target, chunk, 0, length);
  } finally {
    closeSync(target);
  }
}

/** What went away meanwhile is as if it had never been there. */
const tolerateMissing = <Value>(read: () => Value): Value | undefined => {
  try {
    return read();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};
const tryRead = <Value>(read: () => Value): Value | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};
