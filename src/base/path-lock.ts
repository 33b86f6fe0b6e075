import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { FileLockError } from './holder-file.ts';
import { withFileLock, type LockOptions } from './file-lock.ts';
import { makeFolder } from './folders.ts';
import { sha256 } from './sha256.ts';

/**
 * Runs work while no other session or process of this user does the same for one of these paths, whatever its profile. The
 * locks lie in a folder of their own, so that no project is littered and a file in a read-only folder has one too. They are
 * taken in one order: work on several paths never waits in a circle. Throws a `FileLockError` when one cannot be had.
 */
export async function withPathLocks<Value>(
  paths: readonly string[],
  work: () => Promise<Value>,
  options: LockOptions = {},
): Promise<Value> {
  const folder = openLockFolder();
  const names = [...new Set(paths)].toSorted().map((path) => join(folder, sha256(path).slice(0, 32)));
  return names.reduceRight((inner, name) => () => withFileLock(name, inner, options), work)();
}

/** The same for every program of this user, whatever their `TMPDIR` is. */
const ABOVE = '/tmp';

function openLockFolder(): string {
  const user = process.getuid?.() ?? 0;
  const folder = join(ABOVE, `hermes-locks-${user}`);
  try {
    makeFolder(folder);
  } catch (error) {
    throw new FileLockError(`${folder} could not be made. ${ABOVE} must be writable for you and not full.`, { cause: error });
  }
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== user)
    throw new FileLockError(`${folder} belongs to another user. Remove it, or have it removed.`);
  return folder;
}
