import type { Db } from './database/db.ts';

/**
 * Removed rows are overwritten with zeros at once (`secure_delete`). Three places keep their words for longer: the segments of the
 * search index, which only a merge rewrites, the write-ahead log, and pages of the file that nothing uses. They are cleared in small
 * steps, each a transaction of its own, so that other processes go on in between; where a process dies, `tend` goes on.
 */
const STATE = 'purge';
type PurgeState = 'begin' | 'merge' | 'log';

const FULL_TEXT_TABLES = ['texts', 'word_parts'] as const;
/** Pages a merge writes, and pages given back, in one step: some 10 ms. */
const MERGED_PAGES = 256;
const FREED_PAGES = 512;
/** Fewer free pages than this are kept for what comes next. */
const KEPT_PAGES = 256;

/** Belongs into the transaction that removes the rows. */
export const beginPurge = (db: Db): void => setState(db, 'begin');

/** Whether there is anything to clear; cheap, and needs no lock. */
export const isPurgeDue = (db: Db): boolean => readState(db) !== undefined || countFreePages(db) > KEPT_PAGES;

/** One step; says whether another one is due. */
export async function purgeStep(db: Db): Promise<boolean> {
  const state = await db.read('look for what was removed', () => readState(db));
  if (state === 'begin' || state === 'merge') {
    await db.write('clear what was removed from the search index', () => setState(db, mergeIndex(db, state) ? 'merge' : 'log'));
    return true;
  }
  if (await db.read('look for free pages', () => countFreePages(db) > (state === 'log' ? 0 : KEPT_PAGES))) {
    await db.write('give space back', () => db.all(`PRAGMA incremental_vacuum(${FREED_PAGES})`));
    return true;
  }
  if (state === 'log' && (await emptyLog(db))) await db.write('finish the removal', () => setState(db, undefined));
  return false;
}

/** Says whether there is more to merge. The first step puts all segments on one level; the following ones merge them. */
function mergeIndex(db: Db, state: PurgeState): boolean {
  const changes = FULL_TEXT_TABLES.map((table) => {
    const before = countChanges(db);
    db.run(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`, state === 'begin' ? -MERGED_PAGES : MERGED_PAGES);
    return countChanges(db) - before;
  });
  return changes.some((count) => count > 1);
}

const countChanges = (db: Db): number => db.get<{ found: number }>('SELECT total_changes() AS found')?.found ?? 0;

/** Says whether nothing is left in the log. Where another process is reading from it, the next tending tries again. */
async function emptyLog(db: Db): Promise<boolean> {
  const row = await db.read('empty the log', () => db.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)'));
  return row?.busy === 0;
}

/** Only a store that keeps track of its pages can give them back. */
function countFreePages(db: Db): number {
  if (db.get<{ auto_vacuum: number }>('PRAGMA auto_vacuum')?.auto_vacuum !== 2) return 0;
  return db.get<{ freelist_count: number }>('PRAGMA freelist_count')?.freelist_count ?? 0;
}

const readState = (db: Db): PurgeState | undefined => db.get<{ value: PurgeState }>('SELECT value FROM meta WHERE key = ?', STATE)?.value;

function setState(db: Db, state: PurgeState | undefined): void {
  if (state === undefined) db.run('DELETE FROM meta WHERE key = ?', STATE);
  else db.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', STATE, state);
}
