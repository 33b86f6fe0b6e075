import type { JsonObject } from '../../../../base/json-types.ts';
import type { RunEnd, RunEvent, RunProgress } from '../../../../contracts/run-store.ts';
import { toRunAddress } from '../../../../contracts/run-store.ts';
import type { Db } from '../database/db.ts';
import { fromJson } from '../database/json.ts';
import type { RunStoreBase } from './base.ts';
import { keepPrefixes } from './owners.ts';

interface OpenRunRow {
  readonly n: number;
  readonly owner: string;
  readonly session: number;
  readonly last_seq: number;
  readonly ended_at: number | null;
}

/** What another process may have told without its being kept is fewer than this. */
const BREAK = 1_000;

export const appendProgress = (base: RunStoreBase, progress: readonly RunProgress[], now: number): number[] =>
  progress.map((each) => appendToRun(base, each, now));

function appendToRun(base: RunStoreBase, { runId, events, state, end, afterBreak, retry }: RunProgress, now: number): number {
  const { db } = base;
  const run = db.get<OpenRunRow>('SELECT n, owner, session, last_seq, ended_at FROM runs WHERE id = ?', runId);
  if (run === undefined || run.ended_at !== null) return run?.last_seq ?? 0;
  const first = afterBreak === true && run.last_seq > 0 ? Math.ceil((run.last_seq + 1) / BREAK) * BREAK : run.last_seq + 1;
  const sql = 'INSERT INTO run_events (run, seq, at, type, data) VALUES (?, ?, ?, ?, ?)';
  for (const [index, { type, data }] of events.entries()) db.run(sql, run.n, first + index, now, type, JSON.stringify(data));
  const last = events.length === 0 ? run.last_seq : first + events.length - 1;
  // Whoever asked for a stop is told nothing else until it is over.
  const next = `CASE WHEN state = 'stopping' THEN state ELSE coalesce(?, state) END`;
  db.run(`UPDATE runs SET last_seq = ?, state = ${next} WHERE n = ?`, last, state ?? null, run.n);
  if (retry !== undefined) postAgain(base, runId, retry);
  if (end !== undefined) endRun(db, run, end, now);
  return last;
}

/** The message that takes the place of the first: under one key, so that it is posted once. */
function postAgain({ db, log }: RunStoreBase, runId: string, retry: NonNullable<RunProgress['retry']>): void {
  const sessionId = db.get<{ id: string }>('SELECT id FROM sessions WHERE n = (SELECT session FROM runs WHERE id = ?)', runId)?.id ?? '';
  const item = log.post({ ...retry, sessionId, mode: 'queue', key: `${runId} again`, replyTo: toRunAddress(runId) });
  db.run('UPDATE runs SET item_id = ? WHERE id = ?', item.id, runId);
}

function endRun(db: Db, { n, owner, session }: OpenRunRow, { state, result, seq, prefixes = [] }: RunEnd, now: number): void {
  const sql = 'UPDATE runs SET state = ?, ended_at = ?, end_seq = ?, result = ? WHERE n = ?';
  db.run(sql, state, now, seq ?? null, JSON.stringify(result), n);
  if (seq !== undefined) keepPrefixes(db, { owner, session, seq, hashes: prefixes }, now);
}

interface EventRow {
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly data: string;
}

export function readRunEvents(db: Db, id: string, after: number, limit: number): RunEvent[] {
  const sql = `SELECT seq, at, type, data FROM run_events WHERE run = (SELECT n FROM runs WHERE id = ?) AND seq > ? ORDER BY seq LIMIT ?`;
  return db
    .all<EventRow>(sql, id, after, limit)
    .map(({ seq, at, type, data }) => ({ seq, at, type, data: fromJson<JsonObject>(data, `event ${seq} of run ${id}`) }));
}
