import { createTimeId } from '../../../../base/ids.ts';
import {
  isOver,
  toRunAddress,
  type NewRun,
  type Run,
  type RunBeginning,
  type RunPlace,
  type SessionPosition,
} from '../../../../contracts/run-store.ts';
import type { Session } from '../../../../contracts/session.ts';
import { insertWithFreshId } from '../database/fresh-id.ts';
import { createOwnedSession, findNamedSession, nameSession } from './owners.ts';
import { countOpenRuns, findRun, findRunByKey, findRunByTurn } from './rows.ts';
import type { RunStoreBase } from './base.ts';

/** From a request to a message of a session. Runs inside one transaction. */
export function beginRun(base: RunStoreBase, run: NewRun, now: number): RunBeginning {
  const { db, log } = base;
  const { owner, idempotency } = run;
  const known = idempotency && findRunByKey(db, owner, idempotency.key);
  if (known !== undefined) {
    const { bodyHash, ...begun } = known;
    return bodyHash === idempotency?.bodyHash ? { type: 'known', run: begun } : { type: 'conflict' };
  }
  if (countOpenRuns(db) >= run.maxOpen) return { type: 'full' };
  const before = run.continues === undefined ? undefined : findWaiting(base, run.continues);
  if (before === undefined && run.continues !== undefined) return { type: 'missing' };
  const session = before === undefined ? placeRun(base, run.place) : log.find(before.sessionId);
  if (session === undefined) return { type: 'missing' };
  const id = insertWithFreshId(
    () => createTimeId('run', now),
    (fresh) => insertRun(base, fresh, run, session.id, now),
  );
  const itemId = before?.itemId ?? log.post({ ...run.item, sessionId: session.id, mode: 'queue', key: id, replyTo: toRunAddress(id) }).id;
  db.run('UPDATE runs SET item_id = ? WHERE id = ?', itemId, id);
  const begun = findRun(db, id);
  if (begun === undefined) throw new Error(`run ${id} was begun and is not there`);
  return { type: 'begun', run: begun, session: log.find(session.id) ?? session };
}

const OPEN_TURN = `SELECT state ->> 'turnId' AS id FROM turns
  WHERE session = (SELECT n FROM sessions WHERE id = ?) AND phase <> 'done'`;

/** A run whose turn is not over, and that no other goes on with. */
function findWaiting({ db }: RunStoreBase, id: string): Run | undefined {
  const run = findRun(db, id);
  if (run?.turnId === undefined) return undefined;
  const turn = db.get<{ id: string }>(OPEN_TURN, run.sessionId);
  return turn?.id === run.turnId && isOver(run) && findRunByTurn(db, run.sessionId, run.turnId)?.id === id ? run : undefined;
}

function placeRun(base: RunStoreBase, place: RunPlace): Session | undefined {
  const { db, log } = base;
  switch (place.type) {
    case 'session':
      return log.find(place.sessionId);
    case 'after':
      return placeAfter(base, place);
    case 'new':
      return createOwnedSession(base, place);
    case 'conversation': {
      const known = findNamedSession(db, place.owner, place.name);
      if (known !== undefined) return log.find(known);
      const session = createOwnedSession(base, place);
      nameSession(db, place.owner, place.name, session.id);
      return session;
    }
  }
}

/** Nothing was said, and nothing waits, behind it: then it goes on there. */
const IS_LAST = `SELECT 1 FROM sessions WHERE id = ?1
  AND NOT EXISTS (SELECT 1 FROM entries WHERE session = sessions.n AND seq > ?2 AND type IN ('message', 'rewind'))
  AND NOT EXISTS (SELECT 1 FROM inbox WHERE session = sessions.n AND fate IS NULL)
  AND NOT EXISTS (SELECT 1 FROM turns WHERE session = sessions.n AND phase <> 'done')`;

function placeAfter({ db, log }: RunStoreBase, { sessionId, seq }: SessionPosition): Session | undefined {
  const session = log.find(sessionId);
  if (session === undefined) return undefined;
  if (db.get(IS_LAST, sessionId, seq) !== undefined) return session;
  const isThere = db.get('SELECT 1 FROM entries WHERE session = (SELECT n FROM sessions WHERE id = ?) AND seq = ?', sessionId, seq);
  return isThere === undefined ? undefined : log.copy(sessionId, seq);
}

function insertRun({ db }: RunStoreBase, id: string, run: NewRun, sessionId: string, now: number): number {
  const sql = `INSERT OR IGNORE INTO runs (id, owner, kind, session, item_id, key, body_hash, at, state, is_brief, request)
    VALUES (?, ?, ?, (SELECT n FROM sessions WHERE id = ?), '', ?, ?, ?, 'queued', ?, ?)`;
  const { owner, kind, idempotency, request, isBrief } = run;
  const { key = null, bodyHash = null } = idempotency ?? {};
  return db.run(sql, id, owner, kind, sessionId, key, bodyHash, now, isBrief === true ? 1 : 0, JSON.stringify(request));
}
