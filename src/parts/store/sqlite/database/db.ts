/* oxlint-disable typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-parameters --
   the border where rows get their type: the SQL beside each call says what is in them */
import { statSync } from 'node:fs';
import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { StoreError } from '../../../../contracts/session-store.ts';
import { createFlushError, isBusy, toStoreError } from './errors.ts';
import { openLogFlush, type LogFlush } from './log-flush.ts';

export type SqlValue = SQLInputValue;

/** The little of SQLite the store needs, so that another driver can take `node:sqlite`'s place. */
export interface Db {
  readonly path: string;
  exec(sql: string): void;
  /** Runs one statement and gives the number of changed rows. */
  run(sql: string, ...values: readonly SqlValue[]): number;
  get<Row>(sql: string, ...values: readonly SqlValue[]): Row | undefined;
  all<Row>(sql: string, ...values: readonly SqlValue[]): Row[];
  /** Work that only reads. `tried` is said to the person when it fails. */
  read<Result>(tried: string, work: () => Result): Promise<Result>;
  /** One transaction: all of the work or nothing of it. The work is synchronous, so nothing of this process comes between. */
  write<Result>(tried: string, work: () => Result, flush?: CommitFlush): Promise<Result>;
  /** Copies the whole store as it is at one moment, while others go on writing. */
  copyTo(path: string): Promise<void>;
  /** `check` runs at the start of every read and inside every transaction from now on; what it throws refuses the work. */
  guard(check: () => void): void;
  /** Closes the file, so that it can be worked on from outside; the next access opens it again. */
  letGo(): void;
  close(): void;
}

/** When a commit reaches the disk itself: at once, or in its order with the next that does. A process that dies loses neither. */
export type CommitFlush = 'now' | 'with_next';

export interface DbOptions {
  readonly path: string;
  /** What a commit survives: `power` (the default) a power cut, `process` the death of the process. */
  readonly durability?: 'power' | 'process';
  /** How long a locked store is waited for, in milliseconds. */
  readonly patience?: number;
  /** A copy of the store that is read in its place; whoever writes is told that `path` cannot be written. */
  readonly readOnlyCopy?: string;
}

/** SQLite waits this long itself, which blocks the process; longer waits are ours and do not. */
const BLOCKING_WAIT = 25;
/** Upstream's figure: what is still locked after it hangs. */
const PATIENCE = 20_000;

export async function openDb({ path, durability = 'power', patience = PATIENCE, readOnlyCopy }: DbOptions): Promise<Db> {
  const attempt: RunGuarded = (tried, work) => patiently(path, patience, tried, work);
  const place = { file: readOnlyCopy ?? path, readOnly: readOnlyCopy !== undefined };
  const line = await openLine(place, settings(durability), attempt);
  let check = (): void => {};
  const checked =
    <Result>(work: () => Result) =>
    (): Result => {
      check();
      return work();
    };
  return {
    path,
    exec: (sql) => line.link().database.exec(sql),
    run: (sql, ...values) =>
      Number(
        line
          .link()
          .change(sql)
          .run(...values).changes,
      ),
    get: <Row>(sql: string, ...values: readonly SqlValue[]) =>
      line
        .link()
        .query(sql)
        .get(...values) as Row | undefined,
    all: <Row>(sql: string, ...values: readonly SqlValue[]) =>
      line
        .link()
        .query(sql)
        .all(...values) as Row[],
    read: async (tried, work) => {
      await line.renew('once a round');
      return attempt(tried, checked(work));
    },
    write: async (tried, work, flush = 'now') => {
      await line.renew();
      const log = durability === 'power' ? line.log() : undefined;
      const result = await attempt(tried, () => transaction(line.link(), checked(work)));
      if (flush === 'now')
        await log?.flush().catch((error: unknown) => {
          throw createFlushError(tried, path, error);
        });
      return result;
    },
    copyTo: (target) => copyAtOnce(place.file, target),
    guard: (wanted) => void (check = wanted),
    letGo: () => line.link().database.close(),
    close: () => line.close(),
  };
}

/**
 * In one step and on a connection of its own: a copy in several begins again with every commit of another process, and this
 * process goes on with its own connection meanwhile.
 */
async function copyAtOnce(path: string, target: string): Promise<void> {
  const source = new DatabaseSync(path, { readOnly: true, timeout: BLOCKING_WAIT });
  try {
    await backup(source, target, { rate: ALL_PAGES });
  } finally {
    source.close();
  }
}

const ALL_PAGES = 2 ** 31 - 1;

/** The rows a query gives on a database that exists only for it. */
export function queryInMemory<Row>(script: string, query: string): Row[] {
  const database = new DatabaseSync(':memory:');
  try {
    database.exec(script);
    return database.prepare(query).all() as Row[];
  } finally {
    database.close();
  }
}

type RunGuarded = <Result>(tried: string, work: () => Result) => Promise<Result>;

interface DatabaseLink {
  readonly database: DatabaseSync;
  readonly query: (sql: string) => StatementSync;
  /** Full-text tables leave row numbers behind that no JS number holds, and reporting one would throw after the deed: hence big integers. */
  readonly change: (sql: string) => StatementSync;
  readonly file: number;
  /** There once it is known that commits go to a write-ahead log. */
  log?: LogFlush | undefined;
}

/** A connection that follows its path: when the file there was replaced, the next use goes to the new one. */
interface DatabaseFollower {
  link(): DatabaseLink;
  /** How commits reach the disk, unless SQLite itself sees to each of them. */
  log(): LogFlush | undefined;
  /** Who only reads may go by what was seen in the same round of the event loop. */
  renew(look?: 'once a round'): Promise<void>;
  close(): void;
}

interface DatabasePlace {
  readonly file: string;
  readonly readOnly: boolean;
}

async function openLine(place: DatabasePlace, sql: string, attempt: RunGuarded): Promise<DatabaseFollower> {
  let closed = false;
  const open = async () => {
    const fresh = await attempt('open the store', () => connect(place));
    await attempt('open the store', () => fresh.database.exec(sql)).catch((error: unknown) => {
      fresh.database.close();
      throw error;
    });
    return fresh;
  };
  const close = () => {
    link.log?.close();
    if (link.database.isOpen) link.database.close();
  };
  let link = await open();
  let isSeen = false;
  const noteSeen = (): void => {
    if (!isSeen) setImmediate(() => (isSeen = false));
    isSeen = true;
  };
  return {
    link: () => link,
    log: () => (link.log ??= followLog(link, place)),
    renew: async (look) => {
      if (closed || (link.database.isOpen && ((look !== undefined && isSeen) || fileOf(place.file) === link.file))) return noteSeen();
      close();
      link = await open();
    },
    close: () => {
      closed = true;
      close();
    },
  };
}

function connect({ file: path, readOnly }: DatabasePlace): DatabaseLink {
  const file = fileOf(path);
  const database = new DatabaseSync(path, { timeout: BLOCKING_WAIT, enableForeignKeyConstraints: false, readOnly });
  return { database, query: statements(database, false), change: statements(database, true), file };
}

/** `repair` and people replace the file; what is written to the old one would be lost. Looked at by path: opening it would drop our locks. */
function fileOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined) return found.ino;
  throw new StoreError(
    'io',
    `The store ${path} is gone: the file was removed or moved. Put it back, or restart hermes to create a new one.`,
  );
}

/** From now on commits are flushed beside SQLite, many at once. Where there is no write-ahead log they go on flushing by themselves. */
function followLog({ database, query }: DatabaseLink, { file }: DatabasePlace): LogFlush | undefined {
  if (query('PRAGMA journal_mode').get()?.['journal_mode'] !== 'wal') return undefined;
  database.exec(settings('process'));
  return openLogFlush(`${file}-wal`);
}

/** FULL flushes at every commit. On macOS only `fullfsync` reaches the disk itself. */
const settings = (durability: 'power' | 'process'): string =>
  durability === 'process'
    ? `PRAGMA synchronous = NORMAL; ${ERASING}`
    : `PRAGMA synchronous = FULL; ${ERASING}${process.platform === 'darwin' ? '; PRAGMA fullfsync = ON' : ''}`;
/** What is deleted is overwritten with zeros: otherwise it could be read from the file for months. */
const ERASING = 'PRAGMA secure_delete = ON';

/** Every statement is compiled once; the SQL is written by hand, so their number is small and fixed. */
function statements(database: DatabaseSync, bigInts: boolean): (sql: string) => StatementSync {
  const cache = new Map<string, StatementSync>();
  return (sql) => {
    const known = cache.get(sql);
    if (known !== undefined) return known;
    const fresh = database.prepare(sql);
    fresh.setReadBigInts(bigInts);
    cache.set(sql, fresh);
    return fresh;
  };
}

/** IMMEDIATE takes the write lock at once: a transaction that read first could not wait for it. */
function transaction<Result>({ database, change }: DatabaseLink, work: () => Result): Result {
  try {
    change('BEGIN IMMEDIATE').run();
    const result = work();
    change('COMMIT').run();
    return result;
  } catch (error) {
    if (database.isTransaction) change('ROLLBACK').run();
    throw error;
  }
}

async function patiently<Result>(path: string, patience: number, tried: string, work: () => Result): Promise<Result> {
  const start = Date.now();
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || Date.now() - start > patience) throw toStoreError(tried, path, error);
    }
    await pause(Date.now() - start < 2000 ? 20 : 250);
  }
}

/** Jittered, or writers that collided once would collide again. */
const pause = (least: number) => new Promise((resolve) => setTimeout(resolve, least * (1 + Math.random() * 3)));
