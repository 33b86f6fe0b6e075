import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** What a store wrote, statement by statement, and when each commit of it was over. */
export interface CommitRecord extends Disposable {
  /** How many commits there were until now. */
  readonly count: number;
  /** Leaves out what was written until now. */
  restart(): void;
  readonly statements: readonly WrittenStatement[];
}
export type WrittenStatement = readonly [sql: string, values: readonly SQLInputValue[]];

const WRITES = /^\s*(?:INSERT|UPDATE|DELETE|REPLACE|BEGIN|COMMIT|ROLLBACK)/i;
/** Who has what: a commit of this alone goes to the disk with the next one, so the floor does not wait for it either. */
const FLUSHED_LATER = /\b(?:INTO|UPDATE) claims\b|SET token = token \+ 1/;

/** Writes down what all connections of this thread write from now on. Reading is left out: a floor has nothing to look for. */
export function recordCommits(): CommitRecord {
  const { prepare } = DatabaseSync.prototype;
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
  return {
    get count() {
      return count;
    },
    get statements() {
      return statements;
    },
    restart: () => void ([count, statements] = [0, []]),
    [Symbol.dispose]: () => void Object.assign(DatabaseSync.prototype, { prepare }),
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

/** A copy of a store that commits are made on by nobody but SQLite. */
export interface FloorStore extends Disposable {
  /** The same rows in the same commits. Gives when each commit was over. */
  replay(statements: readonly WrittenStatement[]): readonly number[];
}

export function openFloor(path: string, durability: 'power' | 'process'): FloorStore {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  const setFlush = (isFlushed: boolean): void => database.exec(`PRAGMA synchronous = ${isFlushed ? 'FULL' : 'NORMAL'}`);
  database.exec('PRAGMA journal_mode = WAL');
  setFlush(durability === 'power');
  const known = new Map<string, StatementSync>();
  return {
    replay: (statements) => {
      for (const [sql] of statements) if (!known.has(sql)) known.set(sql, database.prepare(sql));
      const commits = toCommits(statements);
      const start = performance.now();
      return commits.map((commit) => {
        const isLater = durability === 'power' && commit.every(([sql]) => FLUSHED_LATER.test(sql) || /^(?:BEGIN|COMMIT)/.test(sql));
        if (isLater) setFlush(false);
        for (const [sql, values] of commit) known.get(sql)?.run(...values);
        if (isLater) setFlush(true);
        return performance.now() - start;
      });
    },
    [Symbol.dispose]: () => database.close(),
  };
}

function toCommits(statements: readonly WrittenStatement[]): readonly WrittenStatement[][] {
  const commits: WrittenStatement[][] = [[]];
  for (const statement of statements) {
    commits.at(-1)?.push(statement);
    if (statement[0] === 'COMMIT') commits.push([]);
  }
  return commits.slice(0, -1);
}
