import { renameSync, rmSync } from 'node:fs';
import type { Db } from './db.ts';
import { storeError } from './errors.ts';
import { prepareFile } from './file.ts';

/** Copies the store as it is at one moment. The target appears only when it is whole: an older backup is not lost to a failed one. */
export async function backupTo(db: Db, path: string): Promise<void> {
  const part = `${path}.part`;
  rmSync(part, { force: true });
  prepareFile(part);
  try {
    await db.copyTo(part);
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw storeError(`back up to ${path}`, db.path, error);
  }
}
