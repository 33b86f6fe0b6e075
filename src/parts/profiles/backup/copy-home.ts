import {
  accessSync,
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
  type Stats,
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
  /** Links of the owner, from the home, that lead to what cannot be read. */
  readonly unreadableLinks: string[];
}
export type HomeLeftovers = Pick<Copying, 'leftOut'> & { readonly unreadableLinks: readonly string[] };

/** Copies what belongs into a backup and follows the owner's links. Gives what was left out. */
export function copyHome(home: string, to: string): HomeLeftovers {
  const foreign = FOREIGN_FOLDERS.flatMap((name) => realPath(join(home, name)) ?? []);
  const copying: Copying = { home, foreign, leftOut: 0, unreadableLinks: [] };
  // The copy may lie below the home, or where a link of the owner leads.
  const above = [to, home].flatMap((folder) => realPath(folder) ?? []);
  for (const name of readdirSync(home)) copyEntry({ path: join(home, name), to: join(to, name), above }, copying);
  return copying;
}

function copyEntry(entry: HomeEntry, copying: Copying): void {
  if (!isBackedUp(relative(copying.home, entry.path))) return;
  if (entry.fence !== undefined) return copyForeign(entry, entry.fence, copying);
  const kind = lookAtOwn(entry.path, copying);
  if (kind?.isFile() === true) tolerateMissing(() => copyFileSync(entry.path, entry.to, constants.COPYFILE_FICLONE));
  const real = kind?.isDirectory() === true ? realPath(entry.path) : undefined;
  if (kind === undefined || real === undefined || entry.above.includes(real)) return;
  const names = tolerateMissing(() => readdirSync(entry.path)) ?? [];
  copyFolder(entry, { real, names, mode: kind.mode }, copying);
}

/** What lies there, links followed. A link that goes round in circles, or to what may not be read, does not end the backup. */
function lookAtOwn(path: string, { home, unreadableLinks }: Copying): Stats | undefined {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  try {
    const kind = statSync(path, { throwIfNoEntry: false });
    if (isLink && kind !== undefined) accessSync(path, kind.isDirectory() ? constants.R_OK | constants.X_OK : constants.R_OK);
    return kind;
  } catch (error) {
    if (!isLink) throw error;
    unreadableLinks.push(relative(home, path));
    return undefined;
  }
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
