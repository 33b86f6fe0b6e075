import { createSessionId } from '../../../base/ids.ts';
import type { ExitReason } from '../../../contracts/event.ts';
import {
  StoreError,
  type EndReason,
  type LineageKind,
  type NewSession,
  type PendingSession,
  type Session,
  type SessionFilter,
  type TitleSource,
} from '../../../contracts/session-store.ts';
import type { Db } from './database/db.ts';
import { insertWithFreshId } from './database/fresh-id.ts';
import { reassignCalls } from './ledger.ts';
import { forgetSessionRuns } from './runs/prune.ts';
import { forgetSession, rewindCursor } from './search/catch-up.ts';

interface SessionRow {
  readonly n: number;
  readonly id: string;
  readonly source: string;
  readonly platform: string;
  readonly cwd: string;
  readonly model: string;
  readonly provider: string;
  readonly parent_id: string | null;
  readonly parent_kind: LineageKind | null;
  readonly title: string | null;
  readonly title_by: TitleSource | null;
  readonly started_at: number;
  readonly updated_at: number;
  readonly messages: number;
  readonly exit_reason: ExitReason | null;
  readonly unfinished: number;
  readonly copied_seq: number;
  readonly ended_at: number | null;
  readonly end_reason: EndReason | null;
}

const SELECT = `SELECT n, id, source, platform, cwd, model, provider, parent_id, parent_kind, title, title_by, started_at, updated_at, messages, exit_reason, copied_seq, ended_at, end_reason,
  EXISTS (SELECT 1 FROM turns WHERE turns.session = sessions.n AND phase <> 'done') AS unfinished FROM sessions`;

/** Under an id drawn from the time, unless it has one already. */
export function insertSession(db: Db, session: NewSession, now: number, given?: string): Session {
  if (session.parent !== undefined) readSessionNumber(db, session.parent.sessionId);
  const { source, platform = source, cwd, model, provider, parent } = session;
  const sql = `INSERT OR IGNORE INTO sessions (id, source, platform, cwd, model, provider, parent_id, parent_kind, started_at, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
  const id = insertWithFreshId(
    () => given ?? createSessionId(new Date(now)),
    (fresh) => db.run(sql, fresh, source, platform, cwd, model, provider, parent?.sessionId ?? null, parent?.kind ?? null, now, now),
  );
  if (parent !== undefined) inheritOwner(db, id, parent);
  return readSession(db, id);
}

/** What a session is copied from, or works for, says whose it is. */
function inheritOwner(db: Db, id: string, { sessionId, kind }: NonNullable<NewSession['parent']>): void {
  const sql = `INSERT INTO session_owners (session, owner, is_child, facts)
    SELECT (SELECT n FROM sessions WHERE id = ?), owner, ?, facts FROM session_owners
    WHERE session = (SELECT n FROM sessions WHERE id = ?)`;
  db.run(sql, id, kind === 'child' ? 1 : 0, sessionId);
}

export function readSession(db: Db, id: string): Session {
  const session = findSession(db, id);
  if (session === undefined) throw createMissingSessionError(id);
  return session;
}

export function findSession(db: Db, id: string): Session | undefined {
  const row = db.get<SessionRow>(`${SELECT} WHERE id = ?`, id);
  return row && toSession(row);
}

/** The number rows of other tables refer to. */
export function readSessionNumber(db: Db, id: string): number {
  const row = db.get<{ n: number }>('SELECT n FROM sessions WHERE id = ?', id);
  if (row === undefined) throw createMissingSessionError(id);
  return row.n;
}

/** An exact id or title wins over ids that merely begin so. */
export function findSessions(db: Db, ref: string): Session[] {
  if (ref === '') return [];
  const exact = db.all<SessionRow>(`${SELECT} WHERE id = ?1 OR title = ?1 ORDER BY id = ?1 DESC LIMIT 1`, ref);
  if (exact.length > 0) return exact.map(toSession);
  return db.all<SessionRow>(`${SELECT} WHERE id >= ?1 AND id < ?1 || char(1114111) ORDER BY updated_at DESC, n DESC`, ref).map(toSession);
}

/** What a session has when somebody used it. A text that waits for it, or a turn, is as good as an entry. */
const USED = `(last_seq > 0 OR ${['entries', 'inbox', 'turns', 'calls', 'session_owners'].map((table) => `EXISTS (SELECT 1 FROM ${table} WHERE session = sessions.n)`).join(' OR ')})`;

/** Without those that died before their first entry; `held` are sessions that may still get one. */
export function listSessions(db: Db, { source, platform, cwd, limit = -1 }: SessionFilter, held: readonly number[]): Session[] {
  const wanted = Object.entries({ source, platform, cwd }).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const where = [`(${USED} OR n IN (SELECT value FROM json_each(?)))`, ...wanted.map(([column]) => `${column} = ?`)].join(' AND ');
  const values = [JSON.stringify(held), ...wanted.map(([, value]) => value)];
  return db.all<SessionRow>(`${SELECT} WHERE ${where} ORDER BY updated_at DESC, n DESC LIMIT ?`, ...values, limit).map(toSession);
}

/** Read from the small indexes of what is open: how many sessions there are makes no difference. */
export function listPendingSessions(db: Db, tell: (sessions: Session[]) => Session[]): PendingSession[] {
  const waiting = db.all<{ session: number; count: number }>(
    'SELECT session, count(*) AS count FROM inbox WHERE fate IS NULL GROUP BY session',
  );
  const counts = new Map(waiting.map(({ session, count }) => [session, count]));
  const unfinished = db.all<{ session: number }>(`SELECT session FROM turns WHERE phase <> 'done'`).map(({ session }) => session);
  const sql = `${SELECT} WHERE n IN (SELECT value FROM json_each(?)) ORDER BY updated_at, n`;
  const rows = db.all<SessionRow>(sql, JSON.stringify([...counts.keys(), ...unfinished]));
  const waits = new Map(rows.map(({ id, n }) => [id, counts.get(n) ?? 0]));
  return tell(rows.map(toSession)).map((session) => ({ session, waiting: waits.get(session.id) ?? 0 }));
}

/** Removes sessions nobody used and nobody holds; says how many. */
export function deleteUnused(db: Db, held: readonly number[]): number {
  const sql = `SELECT n, id FROM sessions WHERE NOT ${USED} AND n NOT IN (SELECT value FROM json_each(?))`;
  const unused = db.all<{ n: number; id: string }>(sql, JSON.stringify(held));
  for (const { n, id } of unused) deleteSession(db, id, n);
  return unused.length;
}

/** All that hangs on it but what it cost. Children stay: those of a child work on for its parent, others lose their link. */
export function deleteSession(db: Db, id: string, n: number): void {
  forgetSession(db, n);
  reassignCalls(db, n);
  forgetSessionRuns(db, n);
  for (const table of ['entries', 'claims', 'turns', 'inbox']) db.run(`DELETE FROM ${table} WHERE session = ?`, n);
  db.run('DELETE FROM memory_cursors WHERE subject = ?', id);
  for (const table of ['questions', 'grants']) db.run(`DELETE FROM ${table} WHERE session_id = ?`, id);
  const above = `SELECT parent_id, parent_kind FROM sessions AS gone WHERE gone.n = ? AND gone.parent_kind = 'child' AND sessions.parent_kind = 'child'`;
  db.run(`UPDATE sessions SET (parent_id, parent_kind) = (${above}) WHERE parent_id = ?`, n, id);
  db.run('DELETE FROM sessions WHERE n = ?', n);
  rewindCursor(db);
}

export const createMissingSessionError = (id: string): StoreError =>
  new StoreError('missing', `There is no session ${id}. To list the sessions: hermes sessions list`);

function toSession(row: SessionRow): Session {
  return {
    id: row.id,
    source: row.source,
    platform: row.platform,
    cwd: row.cwd,
    model: row.model,
    provider: row.provider,
    ...(row.parent_id !== null && row.parent_kind !== null && { parent: { sessionId: row.parent_id, kind: row.parent_kind } }),
    ...(row.title !== null && { title: row.title }),
    ...(row.title_by !== null && { titleBy: row.title_by }),
    startedAt: row.started_at,
    updatedAt: row.updated_at,
    messages: row.messages,
    ...(row.exit_reason !== null && { lastExitReason: row.exit_reason }),
    unfinished: row.unfinished === 1,
    ...(row.copied_seq > 0 && { copiedSeq: row.copied_seq }),
    ...(row.ended_at !== null && row.end_reason !== null && { endedAt: row.ended_at, endReason: row.end_reason }),
  };
}
