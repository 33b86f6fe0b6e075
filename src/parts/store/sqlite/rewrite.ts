import type { Db } from './database/db.ts';

/** A store of an earlier version does not keep track of its pages, and may hold words of sessions that were removed. */
export const needsRewrite = (db: Db): boolean => db.get<{ auto_vacuum: number }>('PRAGMA auto_vacuum')?.auto_vacuum !== 2;

/**
 * Writes the whole store anew: only that makes it give space back from now on. Refused where another process is writing or where there
 * is no room, and then everything is as it was.
 */
export const rewriteStore = (db: Db): Promise<void> =>
  db.read('rewrite the store', () => {
    for (const table of ['texts', 'word_parts']) db.exec(`INSERT INTO ${table} (${table}) VALUES ('optimize')`);
    db.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  });
