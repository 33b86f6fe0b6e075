/* oxlint-disable typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-parameters --
   the border where rows get their type: the SQL beside each call says what is in them */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { MIGRATIONS } from './migrations.ts';

/** The little of SQLite that the journal needs. Every call is short: `node:sqlite` works in this thread. */
export interface JournalDatabase extends Disposable {
  run(sql: string, ...values: readonly SQLInputValue[]): { readonly changes: number; readonly id: number };
  get<Row>(sql: string, ...values: readonly SQLInputValue[]): Row | undefined;
  all<Row>(sql: string, ...values: readonly SQLInputValue[]): Row[];
  /** All of the work or nothing of it, also when the process dies in between. */
  write<Result>(work: () => Result): Result;
}

/** How long another process that writes is waited for, in milliseconds. */
const PATIENCE = 5_000;

export class JournalFileError extends Error {
  override name = 'JournalFileError';
}

/** Opens the journal and brings it up to date. The owner alone may read the file. */
export function openJournalDatabase(path: string): JournalDatabase {
  mkdirSync(dirname(path), { recursive: true });
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const database = new DatabaseSync(path, { timeout: PATIENCE });
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;');
    migrate(database, path);
  } catch (error) {
    database.close();
    throw error;
  }
  return wrap(database);
}

function wrap(database: DatabaseSync): JournalDatabase {
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    // The index for words gives row ids that no number can hold.
    if (!sql.startsWith('SELECT')) statement.setReadBigInts(true);
    statements.set(sql, statement);
    return statement;
  };
  return {
    run: (sql, ...values) => {
      const { changes, lastInsertRowid } = prepare(sql).run(...values);
      return { changes: Number(changes), id: Number(lastInsertRowid) };
    },
    get: <Row>(sql: string, ...values: readonly SQLInputValue[]) => prepare(sql).get(...values) as Row | undefined,
    all: <Row>(sql: string, ...values: readonly SQLInputValue[]) => prepare(sql).all(...values) as Row[],
    write: (work) => inTransaction(database, work),
    [Symbol.dispose]: () => database.close(),
  };
}

function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function migrate(database: DatabaseSync, path: string): void {
  const versionOf = (): number => Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  if (versionOf() > MIGRATIONS.length)
    throw new JournalFileError(
      `${path} was written by a newer version of hermes. Update hermes, or move the file away to start a new journal.`,
    );
  if (versionOf() === MIGRATIONS.length) return;
  inTransaction(database, () => {
    for (const sql of MIGRATIONS.slice(versionOf())) database.exec(sql);
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

/** What is done once, by its key. */
export const isDone = (key: string, db: JournalDatabase): boolean => db.get('SELECT 1 FROM done WHERE key = ?', key) !== undefined;
export const markDone = (key: string, at: number, db: JournalDatabase): void =>
  void db.run('INSERT OR IGNORE INTO done (key, at) VALUES (?, ?)', key, at);
