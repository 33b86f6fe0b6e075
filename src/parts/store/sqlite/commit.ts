import type { Entry } from '../../../contracts/entry.ts';
import type { Change, Claim } from '../../../contracts/session-store.ts';
import { holdClaim } from './claims.ts';
import type { Db } from './db.ts';
import { appendEntries } from './entries.ts';
import { setFate } from './inbox.ts';
import { insertCall } from './ledger.ts';
import { saveTurn } from './turns.ts';

/** One step of a turn; runs inside one transaction, the fence first. */
export function applyChange(db: Db, session: number, claim: Claim, change: Change, now: number): Entry[] {
  holdClaim(db, session, claim, now);
  const fresh = change.append ?? [];
  const lastSeq = touchSession(db, session, change, now) - fresh.length;
  const entries = appendEntries(db, { session, sessionId: claim.sessionId, lastSeq, turnId: change.turnId, at: now }, fresh);
  if (change.turn !== undefined) saveTurn(db, session, change.turn);
  for (const call of change.calls ?? []) insertCall(db, session, call);
  for (const { id, fate } of change.fates ?? []) setFate(db, session, { id, fate, turnId: change.turnId });
  return entries;
}

/** Counts what is appended and gives the position of the last entry after it. */
function touchSession(db: Db, session: number, { append = [], exitReason }: Change, now: number): number {
  const messages = append.filter((entry) => entry.type === 'message').length;
  const sql = `UPDATE sessions SET last_seq = last_seq + ?, messages = messages + ?, updated_at = ?, exit_reason = coalesce(?, exit_reason)
    WHERE n = ? RETURNING last_seq`;
  const row = db.get<{ last_seq: number }>(sql, append.length, messages, now, exitReason ?? null, session);
  if (row === undefined) throw new Error(`session number ${session} has a claim and no row`);
  return row.last_seq;
}
