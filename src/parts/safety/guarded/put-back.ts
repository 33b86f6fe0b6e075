import {
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { randomHex } from '../../../base/ids.ts';
import { realPath } from '../../../base/real-path.ts';
import { tryLstat, type FileState } from './file-state.ts';

/**
 * Does something in a folder that nobody can exchange for another meanwhile. Its name must lead to it without a link: what is
 * written for a project must not land elsewhere because a command turned a folder on the way into a link.
 */
export function inFolder<Value>(folder: string, work: (at: string) => Value): Value {
  const handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const fixed = `/proc/self/fd/${handle}`;
    const [isFixed, real] = process.platform === 'linux' ? [true, readlinkSync(fixed)] : [false, realPath(folder)];
    if (real !== folder) throw new Error(`${folder} is not the folder it was`);
    return work(isFixed ? fixed : folder);
  } finally {
    closeSync(handle);
  }
}

/** Makes a name be what it was, or nothing. A new file takes the place of the old one, so that other names of that one mean nothing any more. */
export function putState(path: string, state: FileState | undefined): void {
  inFolder(dirname(path), (folder) => {
    const target = join(folder, basename(path));
    const there = tryLstat(target);
    // A folder or a file that is too large cannot be kept in memory: it goes aside and stays.
    if (there !== undefined && (there.isDirectory() || (state === undefined && there.isFile() && there.size > MAX_REMOVED)))
      renameSync(target, `${target}.held-${randomHex(6)}`);
    else if (state === undefined && there !== undefined) unlinkSync(target);
    if (state !== undefined) writeState(target, state);
  });
}
const MAX_REMOVED = 16n * 1024n * 1024n;

function writeState(target: string, { kind, content, mode }: FileState): void {
  const fresh = `${target}.${randomHex(6)}.sample`;
  if (kind === 'link') symlinkSync(content, fresh);
  else {
    writeFileSync(fresh, content, { flag: 'wx', mode });
    chmodSync(fresh, mode);
  }
  renameSync(fresh, target);
}

/** A folder inside a git folder that was taken away with what was in it. */
export function makeFolderAgain(folder: string): void {
  if (tryLstat(folder) === undefined) inFolder(dirname(folder), (above) => mkdirSync(join(above, basename(folder))));
}

/** Puts a folder back where it was; what stands there goes aside. Gives the name of that. */
export function moveFolderBack(from: string, to: string): string {
  const aside = `${to}.held-${randomHex(6)}`;
  if (tryLstat(to) !== undefined) renameSync(to, aside);
  renameSync(from, to);
  return aside;
}
