import { queryInMemory, type Db } from './database/db.ts';
import { MIGRATIONS } from './migrations/all.ts';
import { INDEX_TABLES } from './search/catch-up.ts';

/** Tables and columns the program relies on and a store has not, in words. */
export interface MissingSchema {
  /** Of the log: only what is saved into a fresh file makes the store whole. */
  readonly log: readonly string[];
  /** Of the search index, which can be made anew at any time. */
  readonly index: readonly string[];
}

interface SchemaColumn {
  readonly tab: string;
  /** Empty for the table itself. */
  readonly col: string;
}

/** The columns of full-text tables are not asked for: one whose inner tables are gone cannot even answer. */
const PARTS = `SELECT name AS tab, '' AS col FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
  UNION ALL SELECT kept.name, info.name FROM sqlite_schema AS kept JOIN pragma_table_info(kept.name) AS info
  WHERE kept.type = 'table' AND kept.sql NOT LIKE 'CREATE VIRTUAL%' AND kept.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`;

/** Holds the store against one that was made just now. */
export function findMissingSchema(db: Db): MissingSchema {
  const there = new Set(db.all<SchemaColumn>(PARTS).map(nameOf));
  const lacking = wantedParts().filter((part) => !there.has(nameOf(part)) && listOwnerTables(part).every((table) => there.has(table)));
  const [index, log] = [true, false].map((ofIndex) =>
    lacking.filter(({ tab }) => INDEX_TABLES.includes(tab) === ofIndex).map(describeMissing),
  );
  return { log: log ?? [], index: index ?? [] };
}

/** What a part belongs to; where that is missing, the part needs no mention. Full-text tables keep inner ones under their name. */
const listOwnerTables = ({ tab, col }: SchemaColumn): readonly string[] =>
  col === '' ? INDEX_TABLES.filter((table) => tab.startsWith(`${table}_`)) : [tab];

let wanted: readonly SchemaColumn[] | undefined;
const wantedParts = (): readonly SchemaColumn[] =>
  (wanted ??= queryInMemory<SchemaColumn>(MIGRATIONS.map(({ sql }) => sql).join('\n'), PARTS));

const nameOf = ({ tab, col }: SchemaColumn): string => (col === '' ? tab : `${tab}.${col}`);
const describeMissing = (part: SchemaColumn): string => `The ${part.col === '' ? 'table' : 'column'} ${nameOf(part)} is missing.`;
