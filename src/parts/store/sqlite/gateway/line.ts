import type { AccountRef, Taken, WorkKind } from '../../../../contracts/gateway-store.ts';
import { StoreError } from '../../../../contracts/session-store.ts';
import type { Db } from '../database/db.ts';

/**
 * Rows that are worked off, in a line for each chat. Only the first of a line has a `due`: taking looks at those alone, however
 * many wait behind them.
 */
export type WorkTable = 'arrivals' | 'deliveries';
export const TABLE_OF: Readonly<Record<WorkKind, WorkTable>> = { arrival: 'arrivals', delivery: 'deliveries' };

/** Which line. */
export interface WorkLine extends AccountRef {
  readonly chat: string;
}
export interface HeldRow extends WorkLine {
  readonly n: number;
}
interface FirstInLine {
  readonly n: number;
  readonly place: number;
  readonly owner: string | null;
}

const IN_LINE = 'platform = ? AND account = ? AND chat = ? AND over_at IS NULL';
const valuesOf = ({ platform, account, chat }: WorkLine) => [platform, account, chat] as const;

/** Puts a new row into its line and gives its id. A row that is due later stands behind those that come before that. */
export function joinLine(db: Db, table: WorkTable, line: WorkLine, place: number, insert: () => string): string {
  const first = firstInLine(db, table, line);
  const id = insert();
  if (first !== undefined && (first.owner !== null || first.place <= place)) return id;
  if (first !== undefined) db.run(`UPDATE ${table} SET due = NULL WHERE n = ?`, first.n);
  db.run(`UPDATE ${table} SET due = not_before WHERE id = ?`, id);
  return id;
}

/** Makes the first of a line the one that can be taken, unless one of it is in somebody's hands. */
export function moveUp(db: Db, table: WorkTable, line: WorkLine): void {
  const held = db.get(`SELECT 1 FROM ${table} WHERE ${IN_LINE} AND owner IS NOT NULL LIMIT 1`, ...valuesOf(line));
  const first = held === undefined ? firstInLine(db, table, line) : undefined;
  if (first !== undefined) db.run(`UPDATE ${table} SET due = not_before WHERE n = ? AND due IS NULL`, first.n);
}

/** Two lines become one. */
export function mergeLines(db: Db, table: WorkTable, from: WorkLine, to: WorkLine): void {
  for (const line of [from, to]) db.run(`UPDATE ${table} SET due = NULL WHERE ${IN_LINE} AND owner IS NULL`, ...valuesOf(line));
  db.run(`UPDATE ${table} SET chat = ? WHERE ${IN_LINE}`, to.chat, ...valuesOf(from));
  moveUp(db, table, to);
}

const WORK_TABLES = Object.values(TABLE_OF);
const OPEN_LINES = (table: WorkTable): string =>
  `SELECT platform, account, chat FROM ${table} WHERE over_at IS NULL GROUP BY platform, account, chat HAVING max(due) IS NULL`;

/** How many lines nobody would ever take from, because their first is not known as that. */
export const countStuckLines = (db: Db): number => WORK_TABLES.reduce((count, table) => count + db.all(OPEN_LINES(table)).length, 0);

/** The first of each line is derived from the rest. */
export function straightenLines(db: Db): void {
  for (const table of WORK_TABLES) for (const line of db.all<WorkLine>(OPEN_LINES(table))) moveUp(db, table, line);
}

const firstInLine = (db: Db, table: WorkTable, line: WorkLine): FirstInLine | undefined =>
  db.get<FirstInLine>(`SELECT n, place, owner FROM ${table} WHERE ${IN_LINE} ORDER BY place, n LIMIT 1`, ...valuesOf(line));

/** The fence: whoever lost a row is refused before anything of what it wanted is done. */
export function holdRow(db: Db, kind: WorkKind, taken: Taken): HeldRow {
  const sql = `SELECT n, platform, account, chat FROM ${TABLE_OF[kind]} WHERE id = ? AND token = ? AND owner IS NOT NULL`;
  const row = taken.kind === kind ? db.get<HeldRow>(sql, taken.id, taken.token) : undefined;
  if (row !== undefined) return row;
  throw new StoreError(
    'fenced',
    `Nothing was done with ${taken.kind} ${taken.id}: it is no longer in these hands (token ${taken.token}). It was finished or given back, or its lease ran out and somebody else took it. Leave it to them.`,
  );
}

export interface RowEnd {
  readonly state: string;
  readonly why: string | undefined;
}
/** Nothing more is done with a row; the next of its line moves up. */
export function closeRow(db: Db, table: WorkTable, row: HeldRow, { state, why }: RowEnd, now: number): void {
  const sql = `UPDATE ${table} SET state = ?, why = coalesce(?, why), over_at = ?, due = NULL, owner = NULL, process = NULL WHERE n = ?`;
  db.run(sql, state, why ?? null, now, row.n);
  moveUp(db, table, row);
}
