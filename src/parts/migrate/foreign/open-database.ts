import { copyFileSync, constants, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../../../base/errors.ts';

/** A database of another program that is only read. */
export interface ForeignDatabase extends Disposable {
  all(sql: string, ...values: readonly (string | number)[]): readonly Readonly<Record<string, unknown>>[];
  /** The columns a table has; none when there is no such table. */
  columns(table: string): ReadonlySet<string>;
}

/**
 * Opens a database without a trace. SQLite itself would write beside a file it only reads, and would miss what is still in
 * the log of the program that has it open; so a file with such a log is copied with it, and the copy is read.
 */
export function openForeignDatabase(path: string): ForeignDatabase {
  const copy = SIDE_FILES.some((end) => isFilled(path + end)) ? copyWhole(path) : undefined;
  try {
    const database =
      copy === undefined
        ? new DatabaseSync(`${pathToFileURL(path).href}?immutable=1`, { readOnly: true })
        : new DatabaseSync(join(copy, 'copy.db'));
    return {
      all: (sql, ...values) => database.prepare(sql).all(...values),
      columns: (table) =>
        new Set(
          database
            .prepare('SELECT name FROM pragma_table_info(?)')
            .all(table)
            .map(({ name }) => String(name)),
        ),
      [Symbol.dispose]: () => {
        database.close();
        removeCopy(copy);
      },
    };
  } catch (error) {
    removeCopy(copy);
    throw error;
  }
}

/** What SQLite keeps beside a file while it is in use. */
const SIDE_FILES = ['-wal', '-journal'] as const;
const isFilled = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
const removeCopy = (folder: string | undefined): void => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
};

const MAX_TRIES = 5;

/** The file with its log, both of one moment: copied again when the program wrote meanwhile. */
function copyWhole(path: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-migrate-'));
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const before = stateOf(path);
    for (const end of ['', ...SIDE_FILES]) copyOver(path + end, join(folder, `copy.db${end}`));
    if (stateOf(path) === before) return folder;
  }
  removeCopy(folder);
  throw new UsageError(`${path} is being written all the time. Stop the program that uses it, then try again.`);
}

function copyOver(from: string, to: string): void {
  rmSync(to, { force: true });
  if (existsSync(from)) copyFileSync(from, to, constants.COPYFILE_FICLONE);
}

const stateOf = (path: string): string =>
  ['', ...SIDE_FILES]
    .map((end) => statSync(path + end, { throwIfNoEntry: false, bigint: true }))
    .map((found) => `${found?.size}:${found?.mtimeNs}`)
    .join();
