import { StoreError, type BranchPoint, type Session } from '../../../contracts/session-store.ts';
import { COUNTED } from './entries.ts';
import type { Db } from './database/db.ts';
import { insertSession, readSession, readSessionNumber } from './sessions.ts';
import { setTitle } from './titles.ts';

/** Runs inside one transaction. The copied rows keep their sums: those do not name the session. */
export function branchSession(db: Db, parentId: string, { throughSeq, title }: BranchPoint, now: number): Session {
  const parent = readSession(db, parentId);
  const from = readSessionNumber(db, parentId);
  if (db.get('SELECT 1 FROM entries WHERE session = ? AND seq = ?', from, throughSeq) === undefined)
    throw new StoreError('missing', `Session ${parentId} has no entry ${throughSeq}, so the session cannot branch there.`);
  const { source, platform, cwd, model, provider } = parent;
  const { id } = insertSession(db, { source, platform, cwd, model, provider, parent: { sessionId: parentId, kind: 'branch' } }, now);
  const to = readSessionNumber(db, id);
  db.run(
    `INSERT INTO entries (session, seq, id, turn_id, at, origin, type, sum, body)
    SELECT ?, seq, id, turn_id, at, origin, type, sum, body FROM entries WHERE session = ? AND seq <= ? ORDER BY seq`,
    to,
    from,
    throughSeq,
  );
  db.run(`UPDATE sessions SET copied_seq = ?, (last_seq, messages) = (${COUNTED}) WHERE n = ?`, throughSeq, to);
  if (title !== undefined) return setTitle(db, id, title, 'user');
  return parent.title === undefined ? readSession(db, id) : setTitle(db, id, parent.title, 'derived');
}
