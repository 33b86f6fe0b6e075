import { parseJson } from '../../../base/json.ts';
import type { Db } from './database/db.ts';
import { isUnreadable } from './database/errors.ts';
import { deriveColumn, fitRow, isStored, type SqlRow } from './salvage-columns.ts';
import { computeChecksum } from './sum.ts';

/** A table of the log and what a sound row of it looks like. */
interface SalvagedTable {
  readonly name: string;
  readonly key: string;
  /** Nothing of the log: what of it cannot be saved is told, but not as a loss of the log. */
  readonly beside?: boolean;
  /** Made by a later migration, at a place that is another one in every store. */
  readonly isLater?: true;
  /** The column whose text must parse. */
  readonly json?: string;
  /** Ways to learn the greatest key, best first: the others read an index when the table's own end is damaged. */
  readonly top: readonly string[];
}

const topOf = (name: string, key: string, ...indexes: readonly string[]): string[] =>
  ['', ...indexes.map((index) => ` INDEXED BY ${index}`)].map((by) => `SELECT max(${key}) AS top FROM ${name}${by}`);

const laterTable = (name: string, key = '', json?: string): SalvagedTable => ({
  name,
  key,
  beside: true,
  isLater: true,
  top: key === '' ? [] : topOf(name, key),
  ...(json !== undefined && { json }),
});
const LATER_TABLES: readonly SalvagedTable[] = [
  laterTable('arrivals', 'n', 'body'),
  laterTable('deliveries', 'n', 'body'),
  laterTable('delivery_parts', 'n', 'content'),
  laterTable('routes', 'n', 'facts'),
  laterTable('questions', 'n', 'action'),
  laterTable('grants', 'n', 'scope'),
  laterTable('processes', 'n', 'trace'),
  laterTable('jobs', 'n', 'definition'),
  laterTable('job_runs', 'n', 'body'),
  laterTable('memory_cursors', 'n', 'scope'),
  ...['cursors', 'dead_targets', 'pairings', 'people', 'counters', 'credential_leases', 'moved_chats', 'moved_routes', 'tickers'].map(
    (name) => laterTable(name),
  ),
];

export const TABLES: readonly SalvagedTable[] = [
  { name: 'sessions', key: 'n', top: topOf('sessions', 'n', 'sessions_by_place') },
  { name: 'entries', key: 'n', top: topOf('entries', 'n', 'entries_by_seq', 'entries_by_id') },
  { name: 'claims', beside: true, key: 'session', top: topOf('claims', 'session') },
  { name: 'turns', key: 'session', json: 'state', top: topOf('turns', 'session') },
  { name: 'inbox', key: 'n', json: 'body', top: topOf('inbox', 'n', 'inbox_by_session') },
  { name: 'calls', key: 'n', json: 'record', top: topOf('calls', 'n', 'calls_by_time') },
  { name: 'facts', beside: true, key: 'rowid', top: [] },
  ...LATER_TABLES,
];

/** Keys read at a time; where a helping fails it is halved until only the unreadable rows are left out. */
const HELPING = 256;
/** A file whose very end is damaged does not say where it ends; the search for rows has to stop somewhere. */
const MAX_FAILURES = 100_000;

export function copyTable(source: Db, target: Db, table: SalvagedTable): string[] {
  if (isMissing(source, table)) return [`${table.name}: the table is missing.`];
  if (table.top.length === 0) return copyWhole(source, target, table);
  const copy: TableCopy = { source, target, table, failures: 0, damaged: 0 };
  const top = greatest(source, table);
  for (let from = 1; from <= top; from += HELPING) copyRange(copy, from, Math.min(from + HELPING - 1, top));
  return copy.damaged + copy.failures === 0
    ? []
    : [`${table.name}: ${copy.failures} places could not be read, ${copy.damaged} rows were damaged.`];
}

/** Asked for first: row by row, a table that is not there would look like very many that cannot be read. */
const isMissing = (source: Db, { name }: SalvagedTable): boolean =>
  readable(() => source.all(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`, name))?.length === 0;

interface TableCopy {
  readonly source: Db;
  readonly target: Db;
  readonly table: SalvagedTable;
  failures: number;
  damaged: number;
}

function copyRange(copy: TableCopy, from: number, to: number): void {
  if (from > to || copy.failures > MAX_FAILURES) return;
  const { source, target, table } = copy;
  const rows = readable(() => source.all<SqlRow>(`SELECT * FROM ${table.name} WHERE ${table.key} BETWEEN ? AND ?`, from, to));
  if (rows !== undefined) {
    for (const row of rows) if (!isSound(row, table) || !insert(target, table, row)) copy.damaged++;
  } else if (from === to) copy.failures++;
  else {
    const middle = Math.floor((from + to) / 2);
    copyRange(copy, from, middle);
    copyRange(copy, middle + 1, to);
  }
}

function copyWhole(source: Db, target: Db, table: SalvagedTable): string[] {
  const rows = readable(() => source.all<SqlRow>(`SELECT * FROM ${table.name}`));
  for (const row of rows ?? []) insert(target, table, row);
  return rows === undefined ? [`${table.name}: could not be read.`] : [];
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
