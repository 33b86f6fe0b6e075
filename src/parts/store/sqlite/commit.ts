import type { Entry } from '../../../contracts/entry.ts';
import type { NewDelivery } from '../../../contracts/gateway-store.ts';
import type { LogChange, Claim } from '../../../contracts/session-store.ts';
import { holdClaim } from './claims.ts';
import type { Db } from './database/db.ts';
import { appendEntries } from './entries.ts';
import { setFate } from './inbox.ts';
import { enterCall } from './ledger.ts';
import { saveTurn } from './turns.ts';

export interface CommitOptions {
  readonly now: number;
  /** Plans what goes out; there when something does. */
  readonly plan?: ((db: Db, deliveries: readonly NewDelivery[], now: number) => unknown) | undefined;
}

/** One step of a turn; runs inside one transaction, the fence first. */
export function applyChange(db: Db, session: number, claim: Claim, change: LogChange, { now, plan }: CommitOptions): Entry[] {
  holdClaim(db, session, claim, now);
  const fresh = change.append ?? [];
  const lastSeq = touchSession(db, session, change, now) - fresh.length;
  const entries = appendEntries(db, { session, sessionId: claim.sessionId, lastSeq, turnId: change.turnId, at: now }, fresh);
  if (change.turn !== undefined) saveTurn(db, session, change.turn);
  for (const call of [...(change.sent ?? []), ...(change.calls ?? [])]) enterCall(db, session, call);
  for (const { id, fate } of change.fates ?? []) setFate(db, session, { id, fate, turnId: change.turnId });
  if (change.end !== undefined) db.run('DELETE FROM grants WHERE session_id = ?', claim.sessionId);
  plan?.(db, ownDeliveries(claim, change), now);
  return entries;
}

/** What a turn sends belongs to it, unless it says otherwise. */
const ownDeliveries = ({ sessionId }: Claim, { turnId, deliveries = [] }: LogChange): NewDelivery[] =>
  deliveries.map((delivery) => ({ sessionId, ...(turnId !== undefined && { turnId }), ...delivery }));

const UPDATE = `UPDATE sessions SET model = coalesce(?8, model), provider = coalesce(?9, provider), last_seq = last_seq + ?1, messages = messages + ?2, updated_at = coalesce(?3, updated_at),
  exit_reason = coalesce(?4, exit_reason), ended_at = iif(?5, NULL, coalesce(ended_at, ?6)), end_reason = iif(?5, NULL, coalesce(end_reason, ?7))
  WHERE n = ?10 RETURNING last_seq`;

/** Counts what is appended, keeps the model it is for, and gives the position of the last entry after it. An end alone is no use of a session. */
function touchSession(db: Db, session: number, { append = [], exitReason, end, turn }: LogChange, now: number): number {
  const messages = append.filter((entry) => entry.type === 'message').length;
  const usedAt = end !== undefined && append.length === 0 ? null : now;
  const opens = turn !== undefined && turn !== null && turn.phase !== 'done' ? 1 : 0;
  const ending = [opens, end === undefined ? null : now, end ?? null] as const;
  const prompt = append.findLast((entry) => entry.type === 'epoch')?.epoch;
  const route = [prompt?.model ?? null, prompt?.provider ?? null] as const;
  const row = db.get<{ last_seq: number }>(UPDATE, append.length, messages, usedAt, exitReason ?? null, ...ending, ...route, session);
  if (row === undefined) throw new Error(`session number ${session} has a claim and no row`);
  return row.last_seq;
}
