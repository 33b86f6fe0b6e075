import type { AdoptedEntry, AdoptedSession, AdoptionResult } from '../../../contracts/session-store.ts';
import { refuseIfClaimed } from './claims.ts';
import type { Db } from './database/db.ts';
import { appendEntries, COUNTED } from './entries.ts';
import type { StoreHolder } from './holder.ts';
import { enterCall } from './ledger.ts';
import { insertSession, readSession, readSessionNumber } from './sessions.ts';
import { cleanTitle, setTitle } from './titles.ts';

/** Runs inside one transaction. */
export function adoptSession(db: Db, adopted: AdoptedSession, me: StoreHolder, now: number): AdoptionResult {
  const { id, entries } = adopted;
  const isHere = db.get('SELECT 1 FROM sessions WHERE id = ?', id) !== undefined;
  if (!isHere) insertSession(db, adopted, adopted.startedAt, id);
  const session = readSessionNumber(db, id);
  const stored = db.all<{ id: string }>('SELECT id FROM entries WHERE session = ? ORDER BY seq', session);
  const result = (did: AdoptionResult['did']): AdoptionResult => ({ session: readSession(db, id), did });
  if (stored.some((entry, index) => index < entries.length && entry.id !== entries[index]?.id)) return result('diverged');
  const fresh = entries.slice(stored.length);
  if (isHere && fresh.length === 0) return result('unchanged');
  refuseIfClaimed(db, id, session, me, now);
  for (const [index, entry] of fresh.entries()) append(db, { session, sessionId: id, lastSeq: stored.length + index }, entry);
  db.run(`UPDATE sessions SET updated_at = ?, (last_seq, messages) = (${COUNTED}) WHERE n = ?`, adopted.updatedAt, session);
  if (isHere) return result('extended');
  for (const call of adopted.calls) enterCall(db, session, call);
  if (cleanTitle(adopted.title ?? '') !== '') setTitle(db, id, adopted.title ?? '', 'model');
  return result('created');
}

type AdoptedPosition = Omit<Parameters<typeof appendEntries>[1], 'at' | 'turnId'>;

function append(db: Db, position: AdoptedPosition, { at, turnId, ...entry }: AdoptedEntry): void {
  appendEntries(db, { ...position, at, turnId }, [entry]);
}
