import { closeSync, openSync, readSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { StoreError } from '../../../contracts/session-store.ts';
import type { Db } from './database/db.ts';
import { toStoreError } from './database/errors.ts';
import { prepareFile } from './file.ts';

/** Copies the store as it is at one moment. The target appears only when it is whole: an older backup is not lost to a failed one. */
export async function writeBackup(db: Db, path: string): Promise<void> {
  refuseTarget(path, db.path);
  const part = `${path}.part`;
  rmSync(part, { force: true });
  prepareFile(part);
  try {
    await db.copyTo(part);
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw toStoreError(`back up to ${path}`, db.path, error);
  }
}

/** Only a new name or an older backup may be written: anything else at that place is somebody's, and the store itself is in use. */
function refuseTarget(path: string, store: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  const why =
    realpathSync(path) === realpathSync(store)
      ? 'it is the session store itself'
      : !found.isFile()
        ? 'it is not a file'
        : isDatabase(path)
          ? ''
          : 'it is another file';
  if (why !== '') throw new StoreError('taken', `Could not back up to ${path}: ${why}. Name a new file, or an older backup to replace.`);
}

function isDatabase(path: string): boolean {
  const head = Buffer.alloc(15);
  const file = openSync(path, 'r');
  readSync(file, head, 0, head.length, 0);
  closeSync(file);
  return head.toString('latin1') === 'SQLite format 3';
}
