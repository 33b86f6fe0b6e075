import { closeSync, openSync, readSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { randomHex } from '../../../base/ids.ts';
import { StoreError } from '../../../contracts/session-store.ts';
import type { Db } from './database/db.ts';
import { toStoreError } from './database/errors.ts';
import { prepareFile } from './file.ts';
import { isAboutIndex } from './search/catch-up.ts';

/**
 * Copies the store as it is at one moment. The target appears only when the copy is whole and, where a version is given, of that
 * version: an older backup is not lost to a failed one. Each attempt writes a file of its own, so that two cannot spoil each other.
 */
export async function writeBackup(db: Db, path: string, version?: number): Promise<void> {
  refuseTarget(path, db.path);
  const part = `${path}.part-${randomHex(6)}`;
  prepareFile(part);
  try {
    await db.copyTo(part);
    verifyCopy(part, version);
    renameSync(part, path);
  } catch (error) {
    throw toStoreError(`back up to ${path}`, db.path, error);
  } finally {
    for (const end of ['', '-journal']) rmSync(part + end, { force: true });
  }
}

/** Read as a file that cannot change, so that nothing is left beside it. The search index is derived: trouble there spoils no copy. */
function verifyCopy(path: string, version: number | undefined): void {
  const place = pathToFileURL(path);
  place.searchParams.set('immutable', '1');
  const database = new DatabaseSync(place, { readOnly: true });
  try {
    const found = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
    if (version !== undefined && found !== version)
      throw new StoreError('io', `The copy ${path} has version ${found}, not ${version}. Nothing was changed. Try again.`);
    const said = database
      .prepare('PRAGMA quick_check(20)')
      .all()
      .map((row) => String(row['quick_check']));
    const damage = said.find((line) => line !== 'ok' && !isAboutIndex(line));
    if (damage !== undefined)
      throw new StoreError(
        'corrupt',
        `The copy ${path} is damaged (${damage}), so nothing was changed. To save what can be read: hermes sessions repair (it keeps the damaged file)`,
      );
  } finally {
    database.close();
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
