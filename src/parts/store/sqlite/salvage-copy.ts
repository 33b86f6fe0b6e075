import { parseJson } from '../../../base/json.ts';
import type { Db } from './database/db.ts';
import { isUnreadable } from './database/errors.ts';
import { deriveColumn, fitRow, isStored, type SqlRow } from './salvage-columns.ts';
import type { SalvagedTable } from './salvage-tables.ts';
import { computeChecksum } from './sum.ts';

/** Keys read at a time; where a helping fails it is halved until only the unreadable rows are left out. */
const HELPING = 256;
/** A file whose very end is damaged does not say where it ends; the search for rows has to stop somewhere. */
const MAX_FAILURES = 100_000;

/** What of a table could not be saved. */
export interface TableLoss {
  readonly table: SalvagedTable;
  /** Nothing of the table can be read here. */
  readonly missing: boolean;
  /** Places that could not be read. */
  failures: number;
  /** Rows that were read and are not sound. */
  damaged: number;
}

export function copyTable(source: Db, target: Db, table: SalvagedTable): TableLoss {
  if (isMissing(source, table)) return { table, missing: true, failures: 0, damaged: 0 };
  const copy: TableCopy = { source, target, table, missing: false, failures: 0, damaged: 0 };
  if (table.keyed) copyWhole(copy);
  else {
    const top = greatest(source, table);
    for (let from = 1; from <= top; from += HELPING) copyRange(copy, from, Math.min(from + HELPING - 1, top));
  }
  return { table, missing: false, failures: copy.failures, damaged: copy.damaged };
}

/** Asked for first: row by row, a table that is not there would look like very many that cannot be read. */
const isMissing = (source: Db, { name }: SalvagedTable): boolean =>
  readable(() => source.all(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`, name))?.length === 0;

interface TableCopy extends TableLoss {
  readonly source: Db;
  readonly target: Db;
}

function copyRange(copy: TableCopy, from: number, to: number): void {
  if (from > to || copy.failures > MAX_FAILURES) return;
  const { source, target, table } = copy;
  const rows = readable(() => source.all<SqlRow>(`SELECT * FROM ${table.name} WHERE rowid BETWEEN ? AND ?`, from, to));
  if (rows !== undefined) {
    for (const row of rows) if (!isSound(row, table) || !insert(target, table, row)) copy.damaged++;
  } else if (from === to) copy.failures++;
  else {
    const middle = Math.floor((from + to) / 2);
    copyRange(copy, from, middle);
    copyRange(copy, middle + 1, to);
  }
}

function copyWhole(copy: TableCopy): void {
  const rows = readable(() => copy.source.all<SqlRow>(`SELECT * FROM ${copy.table.name}`));
  if (rows === undefined) copy.failures++;
  for (const row of rows ?? []) if (!isSound(row, copy.table) || !insert(copy.target, copy.table, row)) copy.damaged++;
}

function greatest(source: Db, table: SalvagedTable): number {
  for (const sql of table.top) {
    const row = readable(() => source.get<{ top: number | null }>(sql));
    if (row !== undefined) return row.top ?? 0;
  }
  const pages = readable(() => source.get<{ page_count: number }>('PRAGMA page_count'))?.page_count ?? 0;
  return pages * HELPING;
}

function isSound(row: SqlRow, { name, json }: SalvagedTable): boolean {
  // Without the column there is nothing to hold the text against, but that it parses.
  if (name === 'entries' && row['sum'] === undefined) return isStored(row) && parseJson(row.body) !== undefined;
  if (name === 'entries') return isStored(row) && computeChecksum(row) === row['sum'];
  const text = json === undefined ? undefined : (row[json] ?? deriveColumn(name, json, row));
  return json === undefined || (typeof text === 'string' && parseJson(text) !== undefined);
}

/** Says whether the row fits. */
function insert(target: Db, { name }: SalvagedTable, found: SqlRow): boolean {
  const row = fitRow(target, name, found);
  const columns = Object.keys(row);
  return (
    target.run(
      `INSERT OR IGNORE INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      ...Object.values(row),
    ) === 1
  );
}

function readable<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}
