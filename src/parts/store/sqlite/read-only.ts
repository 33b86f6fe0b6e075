import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openDb, type Db, type DbOptions } from './database/db.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/all.ts';
import { catchUp, LARGE } from './search/catch-up.ts';

/** Whether a store that is there can only be read: SQLite needs to write beside it even for that. */
export const isReadOnly = (path: string): boolean => existsSync(path) && !(isWritable(path) && isWritable(dirname(path)));

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A store in a folder that cannot be written, as it is now: read from a copy that goes away when it is closed. Writing to it is refused. */
export async function openReadOnly(options: DbOptions): Promise<Db> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-store-'));
  const copy = join(folder, 'state.db');
  try {
    for (const end of ['', '-wal']) if (existsSync(options.path + end)) copyFileSync(options.path + end, copy + end);
    await bringUpToDate(copy);
    const db = await openDb({ ...options, readOnlyCopy: copy });
    return {
      ...db,
      close: () => {
        db.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** What readers count on: the newest shape, and an index that knows the last words. */
async function bringUpToDate(copy: string): Promise<void> {
  const db = await openDb({ path: copy, durability: 'process' });
  try {
    await migrate(db, MIGRATIONS, async () => {});
    while (await db.write('fill the search index', () => catchUp(db, LARGE)));
  } finally {
    db.close();
  }
}
