/* oxlint-disable typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-parameters --
   the border where rows get their type: the SQL beside each call says what is in them */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { isBusy, storeError } from './errors.ts';

export type Value = SQLInputValue;

/** The little of SQLite the store needs, so that another driver can take `node:sqlite`'s place. */
export interface Db {
  readonly path: string;
  exec(sql: string): void;
  /** Runs one statement; gives the number of changed rows and the rowid of the last insert. */
  run(sql: string, ...values: readonly Value[]): { readonly changes: number; readonly rowid: number };
  get<Row>(sql: string, ...values: readonly Value[]): Row | undefined;
  all<Row>(sql: string, ...values: readonly Value[]): Row[];
  /** Work that only reads. `tried` is said to the person when it fails. */
  read<Result>(tried: string, work: () => Result): Promise<Result>;
  /** One transaction: all of the work or nothing of it. The work is synchronous, so nothing of this process comes between. */
  write<Result>(tried: string, work: () => Result): Promise<Result>;
  close(): void;
}

export interface DbOptions {
  readonly path: string;
  readonly readOnly?: boolean;
  /** How long a locked store is waited for, in milliseconds. */
  readonly patience?: number;
}

/** SQLite waits this long itself, which blocks the process; longer waits are ours and do not. */
const BLOCKING_WAIT = 25;
/** Upstream's figure: what is still locked after it hangs. */
const PATIENCE = 20_000;

export function openDb({ path, readOnly = false, patience = PATIENCE }: DbOptions): Db {
  const database = new DatabaseSync(path, { readOnly, timeout: BLOCKING_WAIT, enableForeignKeyConstraints: false });
  const prepare = statements(database);
  const attempt = <Result>(tried: string, work: () => Result) => patiently(path, patience, tried, work);
  return {
    path,
    exec: (sql) => database.exec(sql),
    run: (sql, ...values) => {
      const { changes, lastInsertRowid } = prepare(sql).run(...values);
      return { changes: Number(changes), rowid: Number(lastInsertRowid) };
    },
    get: <Row>(sql: string, ...values: readonly Value[]) => prepare(sql).get(...values) as Row | undefined,
    all: <Row>(sql: string, ...values: readonly Value[]) => prepare(sql).all(...values) as Row[],
    read: attempt,
    write: (tried, work) => attempt(tried, () => transaction(database, prepare, work)),
    close: () => database.isOpen && database.close(),
  };
}

type Prepare = (sql: string) => StatementSync;

/** Every statement is compiled once; the SQL is written by hand, so their number is small and fixed. */
function statements(database: DatabaseSync): Prepare {
  const cache = new Map<string, StatementSync>();
  return (sql) => {
    const known = cache.get(sql);
    if (known !== undefined) return known;
    const fresh = database.prepare(sql);
    cache.set(sql, fresh);
    return fresh;
  };
}

/** IMMEDIATE takes the write lock at once: a transaction that read first could not wait for it. */
function transaction<Result>(database: DatabaseSync, prepare: Prepare, work: () => Result): Result {
  prepare('BEGIN IMMEDIATE').run();
  try {
    const result = work();
    prepare('COMMIT').run();
    return result;
  } catch (error) {
    if (database.isTransaction) prepare('ROLLBACK').run();
    throw error;
  }
}

async function patiently<Result>(path: string, patience: number, tried: string, work: () => Result): Promise<Result> {
  const start = performance.now();
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() - start > patience) throw storeError(tried, path, error);
    }
    await pause(performance.now() - start < 2000 ? 20 : 250);
  }
}

/** Jittered, or writers that collided once would collide again. */
const pause = (least: number) => new Promise((resolve) => setTimeout(resolve, least * (1 + Math.random() * 3)));
