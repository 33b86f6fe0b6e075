import { closeSync, copyFileSync, existsSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openDb, queryInMemory, type Db } from './database/db.ts';
import { copyTable, type TableLoss } from './salvage-copy.ts';
import { readPages } from './salvage-pages.ts';
import { findTables, type FoundTable } from './salvage-roots.ts';
import { defineForReading, type SalvagedColumn, type SalvagedTable } from './salvage-tables.ts';

/** Where the header says how many pages there are. */
const PAGES = 28;
const ENDS = ['', '-wal', '-shm', '-journal'] as const;

/**
 * Saves the tables of a store whose list of tables cannot be read. A copy of the file gets a first page that lists one table at the
 * place where it was found, so that SQLite reads its rows, and then the next. `undefined` when nothing that was found is a table.
 */
export async function copyFoundTables(path: string, target: Db, tables: readonly SalvagedTable[]): Promise<TableLoss[] | undefined> {
  const copy = `${path}.schema`;
  const drop = (): void => ENDS.forEach((end) => rmSync(copy + end, { force: true }));
  drop();
  try {
    for (const end of ['', '-wal']) if (existsSync(path + end)) copyFileSync(path + end, copy + end);
    writeBackLog(copy);
    using pages = readPages(copy);
    const { found, missing } = findTables(pages, tables);
    if (found.length === 0) return undefined;
    const losses: TableLoss[] = missing.map((table) => ({ table, missing: true, failures: 0, damaged: 0 }));
    for (const each of found) {
      const pieces: TableLoss = { table: each.table, missing: false, failures: each.inPieces ? 1 : 0, damaged: 0 };
      for (const root of each.roots) {
        writeFirstPage(copy, firstPage(`${copy}-page`, each, root, pages.size));
        const { failures, damaged } = await copyFrom(copy, target, each.table);
        pieces.failures += failures;
        pieces.damaged += damaged;
      }
      losses.push(pieces);
    }
    return losses;
  } finally {
    drop();
  }
}

async function copyFrom(path: string, target: Db, table: SalvagedTable): Promise<TableLoss> {
  const source = await openDb({ path });
  try {
    return await target.write(`save ${table.name}`, () => copyTable(source, target, table));
  } finally {
    source.close();
  }
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

function writeFirstPage(path: string, page: Buffer): void {
  page.writeUInt32BE(Math.floor(statSync(path).size / page.length), PAGES);
  const file = openSync(path, 'r+');
  writeSync(file, page, 0, page.length, 0);
  closeSync(file);
}

function firstPage(path: string, { table, sql }: FoundTable, root: number, size: number): Buffer {
  rmSync(path, { force: true });
  const database = new DatabaseSync(path, { defensive: false });
  try {
    database.exec(
      `PRAGMA page_size = ${size}; PRAGMA writable_schema = ON; ${defineForReading({ ...table, columns: columnsOf(table, sql) })}`,
    );
    database.prepare('UPDATE sqlite_schema SET rootpage = ? WHERE name = ?').run(root, table.name);
  } finally {
    database.close();
  }
  const page = Buffer.alloc(size);
  const file = openSync(path, 'r');
  readSync(file, page, 0, size, 0);
  closeSync(file);
  rmSync(path, { force: true });
  return page;
}

/** An older store has other columns than a fresh one, and says so in its own list. */
function columnsOf({ name, columns }: SalvagedTable, sql: string | undefined): readonly SalvagedColumn[] {
  if (sql === undefined) return columns;
  try {
    return queryInMemory<SalvagedColumn>(sql, `SELECT name, type, "notnull" AS required, dflt_value, pk FROM pragma_table_info('${name}')`);
  } catch {
    // The definition is damaged itself.
    return columns;
  }
}
