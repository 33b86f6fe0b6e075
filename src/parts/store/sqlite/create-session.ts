import type { NewEntry } from '../../../contracts/entry.ts';
import type { NewSession, Session } from '../../../contracts/session.ts';
import { branchSession } from './branch.ts';
import { reserveClaim } from './claims.ts';
import type { Db } from './database/db.ts';
import { appendEntries, COUNTED } from './entries.ts';
import type { StoreHolder } from './holder.ts';
import { postItem } from './inbox.ts';
import type { RunSessions } from './runs/base.ts';
import { findSession, insertSession, readSession, readSessionNumber } from './sessions.ts';
import { cleanTitle, setTitle } from './titles.ts';

/** A title a session is born with is derived from its first words, and may be empty. */
export function createSession(db: Db, session: NewSession, me: StoreHolder, now: number): Session {
  const fresh = insertSession(db, session, now);
  reserveClaim(db, fresh.id, me, now);
  return cleanTitle(session.title ?? '') === '' ? fresh : setTitle(db, fresh.id, session.title ?? '', 'derived');
}

/** What a gateway and runs do in the log, inside their own transactions. */
export const createRunSessions = (db: Db, now: () => number, me: () => StoreHolder): RunSessions => ({
  begin: (session, seed = []) => withSeed(db, createSession(db, session, me(), now()), seed, now()),
  find: (id) => findSession(db, id),
  post: (item) => postItem(db, item, now()),
  copy: (id, throughSeq) => branchSession(db, id, { throughSeq }, now()),
});

function withSeed(db: Db, session: Session, seed: readonly NewEntry[], now: number): Session {
  if (seed.length === 0) return session;
  const number = readSessionNumber(db, session.id);
  appendEntries(db, { session: number, sessionId: session.id, lastSeq: 0, turnId: undefined, at: now }, seed);
  db.run(`UPDATE sessions SET (last_seq, messages) = (${COUNTED}) WHERE n = ?`, number);
  return readSession(db, session.id);
}
