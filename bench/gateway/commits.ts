import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** What a store wrote, statement by statement, and when each commit of it was over. */
export interface CommitRecord extends Disposable {
  /** How many commits there were until now. */
  readonly count: number;
  /** Leaves out what was written until now. */
  restart(): void;
  readonly statements: readonly WrittenStatement[];
}
type WrittenStatement = readonly [sql: string, values: readonly SQLInputValue[]];

const WRITES = /^\s*(?:INSERT|UPDATE|DELETE|REPLACE|BEGIN|COMMIT|ROLLBACK)/i;
/** A commit that waits for the disk differs from one that does not. */
const FLUSH = /^PRAGMA synchronous/;

/** Writes down what all connections of this thread write from now on. Reading is left out: a floor has nothing to look for. */
export function recordCommits(): CommitRecord {
  const { prepare, exec } = DatabaseSync.prototype;
  let [count, statements]: [number, WrittenStatement[]] = [0, []];
  DatabaseSync.prototype.prepare = function (sql, ...more) {
    const statement = prepare.call(this, sql, ...more);
    if (!WRITES.test(sql)) return statement;
    const note = <Result>(values: unknown[], result: Result): Result => {
      statements.push([sql, values as SQLInputValue[]]);
      if (sql === 'COMMIT') count++;
      return result;
    };
    // Values by name are used nowhere; a change that gives rows is read by `get`.
    const [run, get] = [bindPlain(statement, statement.run), bindPlain(statement, statement.get)];
    statement.run = (...values: unknown[]) => note(values, run(values));
    statement.get = (...values: unknown[]) => note(values, get(values));
    return statement;
  };
  DatabaseSync.prototype.exec = function (sql) {
    exec.call(this, sql);
    if (FLUSH.test(sql)) statements.push([sql, []]);
  };
  return {
    get count() {
      return count;
    },
    get statements() {
      return statements;
    },
    restart: () => void ([count, statements] = [0, []]),
    [Symbol.dispose]: () => void Object.assign(DatabaseSync.prototype, { prepare, exec }),
  };
}

const bindPlain =
  <Result>(statement: StatementSync, method: (...values: SQLInputValue[]) => Result) =>
  (values: unknown[]): Result =>
    method.apply(statement, values as SQLInputValue[]);

/** A store as it is now, in a file of its own. Nothing of this thread comes between. */
export function copyStore(from: string, to: string): void {
  using database = new DatabaseSync(from);
  database.prepare('VACUUM INTO ?').run(to);
}

/** The floor: the same rows in the same commits, by nobody but SQLite. Gives when each commit was over. */
export function replayCommits(path: string, durability: 'power' | 'process', statements: readonly WrittenStatement[]): readonly number[] {
  using database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`);
  const known = new Map(statements.filter(([sql]) => !FLUSH.test(sql)).map(([sql]) => [sql, database.prepare(sql)]));
  const start = performance.now();
  const ends: number[] = [];
  for (const [sql, values] of statements) {
    const statement = known.get(sql);
    if (statement === undefined) database.exec(sql);
    else statement.run(...values);
    if (sql === 'COMMIT') ends.push(performance.now() - start);
  }
  return ends;
}
