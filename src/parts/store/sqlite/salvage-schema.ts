import { closeSync, copyFileSync, existsSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Db } from './database/db.ts';
import { TABLES } from './salvage-copy.ts';

/** Where the header says how large a page is and how many there are, and where a page that holds a tree says of what kind it is. */
const PAGE_SIZE = 16;
const PAGES = 28;
const TABLE_PAGES: readonly number[] = [5, 13];

interface LentTable {
  readonly name: string;
  readonly root: number;
  readonly keyed: number;
}
interface LentColumn {
  readonly name: string;
  readonly type: string;
  readonly dflt_value: string | null;
  readonly pk: number;
}

/**
 * Where a store can be read whose list of tables is damaged: a copy whose first page lists the tables of the log as a fresh store has
 * them. Their places are the same in every store: the first migration makes all of them, and nothing moves them. `undefined` when what
 * stands there is no table. The copy goes away with the result.
 */
export function lendSchema(path: string, fresh: Db): (Disposable & { readonly path: string }) | undefined {
  const copy = `${path}.schema`;
  const drop = (): void => ['', '-wal', '-shm', '-journal'].forEach((end) => rmSync(copy + end, { force: true }));
  drop();
  for (const end of ['', '-wal']) if (existsSync(path + end)) copyFileSync(path + end, copy + end);
  writeBackLog(copy);
  const size = pageSizeOf(readAt(copy, 0, 100));
  const tables = freshTables(fresh);
  const entries = tables.find(({ name }) => name === 'entries');
  if (entries === undefined || !TABLE_PAGES.includes(readAt(copy, (entries.root - 1) * size, 1)[0] ?? 0)) {
    drop();
    return undefined;
  }
  const page = firstPage(`${copy}-page`, tables, size, fresh);
  page.writeUInt32BE(Math.floor(statSync(copy).size / size), PAGES);
  const file = openSync(copy, 'r+');
  writeSync(file, page, 0, page.length, 0);
  closeSync(file);
  return { path: copy, [Symbol.dispose]: drop };
}

/** The last one to close a database writes its log back, whatever is wrong with its tables. */
function writeBackLog(path: string): void {
  const database = new DatabaseSync(path);
  try {
    database.prepare('PRAGMA user_version').get();
  } catch {
    // Then there is no log that could be written back.
  } finally {
    database.close();
  }
}

const freshTables = (fresh: Db): LentTable[] =>
  TABLES.filter(({ isLater }) => isLater !== true).flatMap(({ name }) =>
    fresh.all<LentTable>(
      `SELECT kept.name, kept.rootpage AS root, list.wr AS keyed FROM sqlite_schema AS kept JOIN pragma_table_list(kept.name) AS list
       WHERE kept.type = 'table' AND kept.name = ?`,
      name,
    ),
  );

/** A page that lists these tables and no index: one that was not checked would be believed. */
function firstPage(path: string, tables: readonly LentTable[], size: number, fresh: Db): Buffer {
  rmSync(path, { force: true });
  const database = new DatabaseSync(path, { defensive: false });
  try {
    database.exec(`PRAGMA page_size = ${size}; PRAGMA writable_schema = ON`);
    for (const table of tables) database.exec(definitionOf(table, fresh));
    const place = database.prepare('UPDATE sqlite_schema SET rootpage = ? WHERE name = ?');
    for (const { name, root } of tables) place.run(root, name);
    const { user_version: version } = fresh.get<{ user_version: number }>('PRAGMA user_version') ?? { user_version: 0 };
    database.exec(`PRAGMA user_version = ${version}`);
  } finally {
    database.close();
  }
  const page = readAt(path, 0, size);
  rmSync(path, { force: true });
  return page;
}

/** Names, order and defaults of the columns are all that reading takes. */
function definitionOf({ name, keyed }: LentTable, fresh: Db): string {
  const columns = fresh.all<LentColumn>('SELECT name, type, dflt_value, pk FROM pragma_table_info(?)', name);
  const said = columns.map(
    (column) =>
      `${column.name} ${column.type}${column.pk > 0 ? ' PRIMARY KEY' : ''}${column.dflt_value === null ? '' : ` DEFAULT ${column.dflt_value}`}`,
  );
  return `CREATE TABLE ${name} (${said.join(', ')})${keyed === 1 ? ' WITHOUT ROWID' : ''}`;
}

function readAt(path: string, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const file = openSync(path, 'r');
  readSync(file, bytes, 0, length, from);
  closeSync(file);
  return bytes;
}

const pageSizeOf = (header: Buffer): number => (header.readUInt16BE(PAGE_SIZE) === 1 ? 65_536 : header.readUInt16BE(PAGE_SIZE));
