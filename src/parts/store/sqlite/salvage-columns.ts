import { isObject, parseJson } from '../../../base/json.ts';
import type { Db, SqlValue } from './database/db.ts';
import { computeChecksum, type StoredEntry } from './sum.ts';

export type SqlRow = Readonly<Record<string, SqlValue>>;

interface SqlColumn {
  readonly name: string;
  readonly type: string;
  /** Has to be there and has no default of its own. */
  readonly needed: number;
}

/** A row of a table of another shape, as ours takes it: strange columns are left out, needed ones it lacks are filled. */
export function fitRow(target: Db, table: string, row: SqlRow): SqlRow {
  const columns = target.all<SqlColumn>(
    `SELECT name, type, "notnull" = 1 AND dflt_value IS NULL AND pk = 0 AS needed FROM pragma_table_info(?)`,
    table,
  );
  const known = columns.flatMap(({ name, type, needed }): [string, SqlValue][] => {
    const value = row[name];
    if (value !== undefined) return [[name, value]];
    const told = deriveColumn(table, name, row);
    if (told !== undefined) return [[name, told]];
    return needed === 1 ? [[name, type === 'TEXT' ? '' : 0]] : [];
  });
  return Object.fromEntries(known);
}

/** A column a row lacks, as far as it can be told from the rest of it. */
export const deriveColumn = (table: string, column: string, row: SqlRow): SqlValue | undefined => DERIVED[table]?.[column]?.(row);

const DERIVED: Readonly<Record<string, Readonly<Record<string, (row: SqlRow) => SqlValue | undefined>>>> = {
  entries: {
    type: ({ body }) => {
      const parsed = typeof body === 'string' ? parseJson(body) : undefined;
      return isObject(parsed) && typeof parsed['type'] === 'string' ? parsed['type'] : 'note';
    },
    sum: (row) =>
      isStored(row) ? computeChecksum({ ...row, turn_id: row.turn_id ?? null, origin: row.origin ?? '', at: row.at ?? 0 }) : 0,
  },
  // Before version 3 these were not told apart, and an inbox held texts of the owner.
  sessions: { platform: ({ source }) => source },
  inbox: {
    body: ({ text }) => (typeof text === 'string' ? JSON.stringify({ content: [{ type: 'text', text, trust: 'owner' }] }) : undefined),
  },
};

/** The parts of an entry without which there is nothing to save. */
export const isStored = (row: SqlRow): row is SqlRow & StoredEntry =>
  typeof row['body'] === 'string' && typeof row['seq'] === 'number' && typeof row['id'] === 'string';
