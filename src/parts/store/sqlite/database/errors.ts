import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { toErrorMessage } from '../../../../base/errors.ts';
import { isStoreError, StoreError, type StoreErrorCode } from '../../../../contracts/session-store.ts';

/** What SQLite says, by its primary result code: not by the wording, which changes between versions. */
interface SqliteErrorRow {
  readonly code: StoreErrorCode;
  readonly advice: string;
}

const REPAIR: SqliteErrorRow = {
  code: 'corrupt',
  advice: 'To save what can be read: hermes sessions repair (it keeps the damaged file)',
};
const BUSY: SqliteErrorRow = {
  code: 'busy',
  advice: 'Another process keeps the session store locked. Wait for it or stop it, then try again.',
};
const READ_ONLY: SqliteErrorRow = { code: 'read_only', advice: 'Make the file and its folder writable, then try again.' };
const IO: SqliteErrorRow = { code: 'io', advice: 'Check that the folder exists, that you own it and that the disk works, then try again.' };
const FULL: SqliteErrorRow = { code: 'full', advice: 'Free some space, then try again. Nothing that was saved is lost.' };
const TAKEN: SqliteErrorRow = { code: 'taken', advice: 'This id is already in use. Use another one.' };

const TROUBLES: Readonly<Record<number, SqliteErrorRow>> = {
  3: IO, // SQLITE_PERM
  5: BUSY, // SQLITE_BUSY
  6: BUSY, // SQLITE_LOCKED
  8: READ_ONLY, // SQLITE_READONLY
  10: IO, // SQLITE_IOERR
  11: REPAIR, // SQLITE_CORRUPT
  13: FULL, // SQLITE_FULL
  14: IO, // SQLITE_CANTOPEN
  19: TAKEN, // SQLITE_CONSTRAINT
  26: REPAIR, // SQLITE_NOTADB
};

/** SQLite's primary result code of an error; `undefined` when it is not SQLite's. */
export function findSqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  return error.errcode & 0xff;
}

const troubleOf = (error: unknown): SqliteErrorRow | undefined => {
  const code = findSqliteCode(error);
  if (code === undefined) return undefined;
  return saysPartIsMissing(error) ? REPAIR : TROUBLES[code];
};

/** SQLITE_ERROR stands for whatever is wrong with a statement; that a table, column or index is missing is told by the text alone. */
const GENERAL = 1;
const MISSING_PART = /no such (?:table|column|index)|has no column named|vtable constructor failed/u;

const saysPartIsMissing = (error: unknown): boolean =>
  findSqliteCode(error) === GENERAL && error instanceof Error && MISSING_PART.test(error.message);

/** Whether a table or a column that must be there is not, as the store's own error tells it. */
export const isSchemaPartMissing = (error: unknown): boolean => isStoreError(error) && saysPartIsMissing(error.cause);

export const isBusy = (error: unknown): boolean => troubleOf(error) === BUSY;
export const isCorrupt = (error: unknown): boolean => troubleOf(error) === REPAIR || isStoreError(error, 'corrupt');
/** Damage as it shows while reading: a file that ends too early gives an I/O error. */
export const isUnreadable = (error: unknown): boolean => isCorrupt(error) || troubleOf(error) === IO;

/** Words for a person where SQLite failed; everything else (our own refusals, bugs) passes unchanged. */
export function toStoreError(tried: string, path: string, error: unknown): unknown {
  const trouble = troubleOf(error);
  if (trouble === undefined || !(error instanceof Error)) return error;
  if ((trouble === IO || trouble === READ_ONLY) && isDiskFull(path))
    return new StoreError('full', `Could not ${tried} in ${path}: the disk is full. ${FULL.advice}`, error);
  return new StoreError(trouble.code, `Could not ${tried} in ${path}: ${error.message}. ${trouble.advice}`, error);
}

/** What was committed did not reach the disk: it may be there after a power failure, or not. */
export function createFlushError(tried: string, path: string, error: unknown): StoreError {
  const { code, advice } = isDiskFull(path) ? { code: 'full' as const, advice: FULL.advice } : IO;
  return new StoreError(code, `Could not ${tried} in ${path}: it did not reach the disk (${toErrorMessage(error)}). ${advice}`, error);
}

/** SQLite needs this much beside a store even to read it, and where it is not to be had it speaks of input and output. */
const LEAST_FREE = 65_536;

/** No room, or no inode for the files SQLite keeps beside a store; some file systems do not count inodes. */
export function isDiskFull(path: string): boolean {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(dirname(path));
    return bavail * bsize < LEAST_FREE || (files > 0 && ffree === 0);
  } catch {
    return false;
  }
}
