import { StoreError, type Claim, type Session } from '../../../contracts/session-store.ts';
import type { Db } from './database/db.ts';
import { isAlive, type StoreHolder } from './holder.ts';
import { loseRunningCalls } from './ledger.ts';
import { readSessionNumber } from './sessions.ts';

/** How long a holder on another host is believed to live without a sign of life. */
export const LEASE = 30_000;
export const RENEWAL = LEASE / 3;

interface ClaimRow {
  readonly token: number;
  readonly host: string | null;
  readonly pid: number | null;
  readonly started: string | null;
  readonly lease: number;
}

/** The token of a session whose maker has not claimed it yet: a sign of life, in nobody's way. */
const RESERVED = 0;

/** Notes who made a session, so that it is not taken for a dead one's before it has an entry. */
export function reserveClaim(db: Db, sessionId: string, maker: StoreHolder, now: number): void {
  const sql = `INSERT OR IGNORE INTO claims (session, token, host, pid, started, lease) SELECT n, ?, ?, ?, ?, ? FROM sessions WHERE id = ?`;
  db.run(sql, RESERVED, maker.host, maker.pid, maker.started, now + LEASE, sessionId);
}

/** Sessions without an entry that a live process made or writes. */
export function listHeldEmptySessions(db: Db, me: StoreHolder, now: number): number[] {
  const sql = `SELECT session, token, host, pid, started, lease FROM claims
    WHERE pid IS NOT NULL AND NOT EXISTS (SELECT 1 FROM entries WHERE entries.session = claims.session)`;
  return db
    .all<ClaimRow & { session: number }>(sql)
    .filter((row) => liveHolder(row, me, now) !== undefined)
    .map(({ session }) => session);
}

/** Marks sessions whose turn a live process is at: what looks cut off in the store alone may be running. */
export function tellRunning(db: Db, sessions: Session[], me: StoreHolder, now: number): Session[] {
  if (!sessions.some(({ unfinished }) => unfinished)) return sessions;
  const sql = `SELECT id, token, host, pid, started, lease FROM claims JOIN sessions ON sessions.n = claims.session WHERE pid IS NOT NULL`;
  const held = db.all<ClaimRow & { id: string }>(sql).filter((row) => liveHolder(row, me, now) !== undefined);
  const ids = new Set(held.map(({ id }) => id));
  return sessions.map((session) => (session.unfinished && ids.has(session.id) ? { ...session, running: true } : session));
}

/** Gives the claim and the session's number, by which commits find it. */
export function takeClaim(db: Db, sessionId: string, holder: StoreHolder, now: number): { session: number; claim: Claim } {
  const session = readSessionNumber(db, sessionId);
  const last = readClaim(db, session);
  refuseIfHeld(last, sessionId, holder, now);
  const token = (last?.token ?? 0) + 1;
  const sql = 'INSERT OR REPLACE INTO claims (session, token, host, pid, started, lease) VALUES (?, ?, ?, ?, ?, ?)';
  db.run(sql, session, token, holder.host, holder.pid, holder.started, now + LEASE);
  const takenOver = last !== undefined && last.token !== RESERVED && last.pid !== null;
  if (takenOver) loseRunningCalls(db, session);
  return { session, claim: { sessionId, token, ...(takenOver && { takenOver: true }) } };
}

export function refuseIfClaimed(db: Db, sessionId: string, session: number, holder: StoreHolder, now: number): void {
  refuseIfHeld(readClaim(db, session), sessionId, holder, now);
}

/** For work on the whole store: nobody else may be writing to any session of it. */
export function refuseIfAnyClaimed(db: Db, me: StoreHolder, now: number): void {
  const sql = `SELECT id, token, host, pid, started, lease FROM claims JOIN sessions ON sessions.n = claims.session WHERE pid IS NOT NULL`;
  for (const row of db.all<ClaimRow & { id: string }>(sql)) {
    if (row.host !== me.host || row.pid !== me.pid) refuseIfHeld(row, row.id, me, now);
  }
}

/** Refuses a claim that no longer stands; inside a commit's transaction this is the fence. Renews the lease when a third of it is gone. */
export function holdClaim(db: Db, session: number, claim: Claim, now: number): void {
  const last = readClaim(db, session);
  if (last?.token !== claim.token || last.pid === null) throw fenced(claim, last);
  if (last.lease < now + LEASE - RENEWAL) db.run('UPDATE claims SET lease = ? WHERE session = ?', now + LEASE, session);
}

function fenced(claim: Claim, last: ClaimRow | undefined): StoreError {
  const who = last?.pid == null ? 'it was given back' : `process ${last.pid} on ${last.host} took the session over`;
  return new StoreError(
    'fenced',
    `Nothing was written to session ${claim.sessionId}: this writer's claim (token ${claim.token}) no longer stands, ${who} (token ${last?.token ?? 0}). Claim the session again and read what is new.`,
  );
}

export function dropClaim(db: Db, claim: Claim): void {
  const sql = `UPDATE claims SET host = NULL, pid = NULL, started = NULL, lease = 0
    WHERE session = (SELECT n FROM sessions WHERE id = ?) AND token = ?`;
  db.run(sql, claim.sessionId, claim.token);
}

const readClaim = (db: Db, session: number): ClaimRow | undefined =>
  db.get<ClaimRow>('SELECT token, host, pid, started, lease FROM claims WHERE session = ?', session);

function refuseIfHeld(row: ClaimRow | undefined, sessionId: string, me: StoreHolder, now: number): void {
  const other = row === undefined || row.token === RESERVED ? undefined : liveHolder(row, me, now);
  if (other === undefined) return;
  throw new StoreError('busy', `Session ${sessionId} is ${isSame(other, me) ? IN_USE_HERE : inUseBy(other)}`);
}

const IN_USE_HERE = 'in use in this process. Wait for its turn to end, or stop it.';
const inUseBy = ({ pid, host }: StoreHolder): string => `in use by process ${pid} on ${host}. Wait for it to end, or stop it.`;
const isSame = (one: StoreHolder, other: StoreHolder): boolean =>
  one.host === other.host && one.pid === other.pid && one.started === other.started;

function liveHolder(row: ClaimRow, me: StoreHolder, now: number): StoreHolder | undefined {
  if (row.host === null || row.pid === null) return undefined;
  const other = { host: row.host, pid: row.pid, started: row.started ?? '' };
  return (other.host === me.host ? isAlive(other) : row.lease > now) ? other : undefined;
}
