import { JSON_COLUMNS } from './check.ts';
import type { Db } from './database/db.ts';
import { INDEX_TABLES } from './search/catch-up.ts';

/** A table that is saved: every one of a fresh store but those of the search index, which is made anew. */
export interface SalvagedTable {
  readonly name: string;
  /** `WITHOUT ROWID`: read whole, because its rows have no number to ask for. */
  readonly keyed: boolean;
  /** The column whose text must parse. */
  readonly json: string | undefined;
  readonly columns: readonly SalvagedColumn[];
  /** Ways to learn the greatest row number, best first: the others read an index when the table's own end is damaged. */
  readonly top: readonly string[];
}
export interface SalvagedColumn {
  readonly name: string;
  readonly type: string;
  readonly required: number;
  readonly dflt_value: string | null;
  /** Its place in the primary key, from 1; 0 for a column that is not part of it. */
  readonly pk: number;
}

/** In an order in which what others refer to comes first. */
export function listSalvagedTables(fresh: Db): SalvagedTable[] {
  const sql = `SELECT name, wr AS keyed FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    ORDER BY name <> 'sessions', name <> 'entries', name`;
  return fresh
    .all<{ name: string; keyed: number }>(sql)
    .filter(({ name }) => !INDEX_TABLES.some((table) => name === table || name.startsWith(`${table}_`)))
    .map(({ name, keyed }) => ({
      name,
      keyed: keyed === 1,
      json: JSON_COLUMNS.find(([table]) => table === name)?.[1],
      columns: listColumns(fresh, name),
      top: ['', ...listWholeIndexes(fresh, name).map((index) => ` INDEXED BY ${index}`)].map(
        (by) => `SELECT max(rowid) AS top FROM ${name}${by}`,
      ),
    }));
}

export const listColumns = (db: Db, table: string): SalvagedColumn[] =>
  db.all<SalvagedColumn>('SELECT name, type, "notnull" AS required, dflt_value, pk FROM pragma_table_info(?)', table);

const listWholeIndexes = (db: Db, table: string): string[] =>
  db.all<{ name: string }>(`SELECT name FROM pragma_index_list(?) WHERE partial = 0 AND origin = 'c'`, table).map(({ name }) => name);

/** Names, order and defaults of the columns are all that reading takes; an index that was not checked would be believed. */
export function defineForReading({ name, keyed, columns }: Pick<SalvagedTable, 'name' | 'keyed' | 'columns'>): string {
  const key = columns.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
  const alone = key.length === 1;
  const said = columns.map(({ name: column, type, dflt_value: initial, pk }) =>
    [column, type, ...(alone && pk > 0 ? ['PRIMARY KEY'] : []), ...(initial === null ? [] : [`DEFAULT ${initial}`])].join(' '),
  );
  // The key of a table with row numbers is an index of its own, but for a single whole number.
  const together = keyed && !alone ? [`PRIMARY KEY (${key.map((column) => column.name).join(', ')})`] : [];
  return `CREATE TABLE ${name} (${[...said, ...together].join(', ')})${keyed ? ' WITHOUT ROWID' : ''}`;
}
