import type { JsonObject } from '../../../../base/json-types.ts';
import type { Run, RunState } from '../../../../contracts/run-store.ts';
import type { Db, SqlValue } from '../database/db.ts';
import { fromJson } from '../database/json.ts';

interface RunRow {
  readonly n: number;
  readonly id: string;
  readonly owner: string;
  readonly kind: string;
  readonly session_id: string;
  readonly item_id: string;
  readonly turn_id: string | null;
  readonly at: number;
  readonly state: RunState;
  readonly is_brief: number;
  readonly ended_at: number | null;
  readonly end_seq: number | null;
  readonly request: string;
  readonly result: string | null;
}

const SELECT = `SELECT runs.n, runs.id, owner, kind, sessions.id AS session_id, item_id, inbox.turn_id, runs.at, state, is_brief,
  runs.ended_at, end_seq, request, result
  FROM runs JOIN sessions ON sessions.n = runs.session LEFT JOIN inbox ON inbox.id = runs.item_id`;

export function findRun(db: Db, id: string): Run | undefined {
  return selectRuns(db, 'WHERE runs.id = ?', id)[0];
}
export function findRunByTurn(db: Db, sessionId: string, turnId: string): Run | undefined {
  const where = 'WHERE runs.session = (SELECT n FROM sessions WHERE id = ?) AND inbox.turn_id = ? ORDER BY runs.n DESC LIMIT 1';
  return selectRuns(db, where, sessionId, turnId)[0];
}
/** With the hash of what was asked under its key. */
export function findRunByKey(db: Db, owner: string, key: string): (Run & { readonly bodyHash: string }) | undefined {
  const [run] = selectRuns(db, 'WHERE owner = ? AND runs.key = ?', owner, key);
  const row = db.get<{ body_hash: string }>('SELECT body_hash FROM runs WHERE owner = ? AND key = ?', owner, key);
  return run && row && { ...run, bodyHash: row.body_hash };
}
export const listOpenRuns = (db: Db, sessionId: string | undefined): Run[] =>
  sessionId === undefined
    ? selectRuns(db, 'WHERE runs.ended_at IS NULL ORDER BY runs.n')
    : selectRuns(db, 'WHERE runs.session = (SELECT n FROM sessions WHERE id = ?) AND runs.ended_at IS NULL ORDER BY runs.n', sessionId);

export function removeRun(db: Db, id: string): boolean {
  db.run('DELETE FROM run_events WHERE run = (SELECT n FROM runs WHERE id = ? AND ended_at IS NOT NULL)', id);
  return db.run('DELETE FROM runs WHERE id = ? AND ended_at IS NOT NULL', id) === 1;
}

export const requestStop = (db: Db, id: string): boolean =>
  db.run(`UPDATE runs SET state = 'stopping' WHERE id = ? AND ended_at IS NULL`, id) === 1;

export const countOpenRuns = (db: Db): number =>
  db.get<{ open: number }>('SELECT count(*) AS open FROM runs WHERE ended_at IS NULL')?.open ?? 0;

const selectRuns = (db: Db, where: string, ...values: readonly SqlValue[]): Run[] =>
  db.all<RunRow>(`${SELECT} ${where}`, ...values).map(toRun);

const toRun = (row: RunRow): Run => ({
  id: row.id,
  owner: row.owner,
  kind: row.kind,
  sessionId: row.session_id,
  itemId: row.item_id,
  ...(row.turn_id !== null && { turnId: row.turn_id }),
  at: row.at,
  state: row.state,
  request: fromJson<JsonObject>(row.request, `run ${row.id}`),
  ...(row.is_brief === 1 && { isBrief: true }),
  ...(row.ended_at !== null && { endedAt: row.ended_at }),
  ...(row.result !== null && { result: fromJson<JsonObject>(row.result, `the result of run ${row.id}`) }),
  ...(row.end_seq !== null && { endSeq: row.end_seq }),
});
