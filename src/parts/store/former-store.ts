import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { withFileLock } from '../../base/file-lock.ts';
import type { Home } from '../../base/home.ts';
import { nameMigratedFolder } from '../../base/migrated-folder.ts';
import { isBusy, isCorrupt } from './sqlite/database/errors.ts';

/** The store of a home, and the name earlier versions gave it. The Python system calls its own store by that name. */
export type StorePlaces = Pick<Home, 'store' | 'formerStore'>;

/**
 * Decides where the store is and opens it under one lock: a process that found the file in use and one that renames it would
 * otherwise meet, and the first would make an empty store where the file had been.
 */
export function withFormerStore<Value>(home: StorePlaces, use: (path: string) => Promise<Value>): Promise<Value> {
  if (!isWritable(dirname(home.store))) return use(isOwnStore(home.formerStore) ? home.formerStore : home.store);
  return withFileLock(home.store, () => use(existsSync(home.store) ? home.store : takeOver(home)), { waitMs: WAIT_MS });
}

/** The holder may be upgrading the store it renamed. */
const WAIT_MS = 600_000;

/** A damaged file may be ours: a new store beside it would hide that sessions are missing. */
export const isOwnStore = (path: string): boolean => ['own', 'damaged'].includes(kindOf(path));

function takeOver({ store, formerStore }: StorePlaces): string {
  const kind = kindOf(formerStore);
  if (kind === 'damaged') return formerStore;
  return kind !== 'own' || renameStore(formerStore, store) ? store : formerStore;
}

/**
 * Renames a store with everything in it; `false` while another process has it open. SQLite's log is written back into the
 * file first, under a lock that keeps every other process out, so that the rename of one file is all there is to it. Whenever
 * the process dies, the store is whole under one of the two names.
 */
export function renameStore(from: string, to: string): boolean {
  const database = new DatabaseSync(from, { timeout: LOCK_WAIT_MS });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT');
    if (database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] !== 0) return false;
    // While nobody else can open it: later, the files could be those of a new database of that name.
    for (const end of ['-wal', '-shm']) rmSync(from + end, { force: true });
    renameSync(from, to);
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  } finally {
    database.close();
  }
}
/** Long enough for a command that is about to end; who stays longer is not waited for. */
const LOCK_WAIT_MS = 500;

/** `python`: the store of the Python system. `other`: a database of somebody else, or no file at all. */
type FileKind = 'own' | 'python' | 'other' | 'damaged';

/** With its log a file is only read where nothing is known without. */
function kindOf(path: string): FileKind {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return 'other';
  const kind = kindBy(path, true);
  return (kind === 'other' || kind === 'damaged') && existsSync(`${path}-wal`) ? kindWithLog(path) : kind;
}

/** From a copy: SQLite writes beside a file that may change. All of it is small as long as not even the tables have left the log. */
function kindWithLog(path: string): FileKind {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-store-'));
  try {
    for (const end of ['', '-wal']) copyFileSync(path + end, join(folder, `copy.db${end}`));
    return kindBy(join(folder, 'copy.db'), false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function kindBy(path: string, immutable: boolean): FileKind {
  try {
    const tables = tablesIn(path, immutable);
    const hasAll = (...names: readonly string[]): boolean => names.every((name) => tables.has(name));
    if (hasAll('sessions', 'entries', 'claims')) return 'own';
    return hasAll('sessions', 'messages') ? 'python' : 'other';
  } catch (error) {
    if (isCorrupt(error)) return 'damaged';
    throw error;
  }
}

/** Read as one that cannot change, a file and what lies beside it stay as they are. */
function tablesIn(path: string, immutable: boolean): ReadonlySet<string> {
  const place = pathToFileURL(path);
  if (immutable) place.searchParams.set('immutable', '1');
  const database = new DatabaseSync(place, { readOnly: true, timeout: LOCK_WAIT_MS });
  try {
    const rows = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    return new Set(rows.map((row) => String(row['name'])));
  } finally {
    database.close();
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whoever took them over knows of them. */
const isTakenOver = (home: string): boolean => existsSync(join(home, nameMigratedFolder('hermes', home), 'report.json'));

export function describeFile({ store, formerStore }: StorePlaces): string | undefined {
  try {
    const kind = kindOf(formerStore);
    if (kind === 'python' && isTakenOver(dirname(store))) return undefined;
    if (kind === 'python')
      return `${formerStore} contains sessions of the Python version of Hermes. They are not listed here, and Hermes does not change them. To take them over: hermes migrate`;
    return kind === 'own' && existsSync(store)
      ? `${formerStore} contains sessions of an earlier version that are not in ${store}. To read them, copy the file to an empty folder as sessions.db and set HERMES_HOME to that folder.`
      : undefined;
  } catch {
    // Somebody else's file that cannot be looked at now is no trouble of ours.
    return undefined;
  }
}
