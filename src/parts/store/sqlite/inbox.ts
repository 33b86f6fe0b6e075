import { timeId } from '../../../base/ids.ts';
import { StoreError, type Fate, type InboxItem, type InboxMode, type NewInboxItem } from '../../../contracts/session-store.ts';
import type { Db } from './db.ts';
import { insertWithFreshId } from './fresh-id.ts';
import { sessionNumber } from './sessions.ts';

interface InboxRow {
  readonly id: string;
  readonly key: string | null;
  readonly mode: InboxMode;
  readonly at: number;
  readonly fate: Fate | null;
  readonly text: string;
}

const SELECT = 'SELECT id, key, mode, at, fate, text FROM inbox';
const OF_SESSION = 'session = (SELECT n FROM sessions WHERE id = ?)';

export function postItem(db: Db, item: NewInboxItem, now: number): InboxItem {
  const session = sessionNumber(db, item.sessionId, 'leave a text for it');
  const known = item.key === undefined ? undefined : db.get<InboxRow>(`${SELECT} WHERE session = ? AND key = ?`, session, item.key);
  if (known !== undefined) return toItem(item.sessionId, known);
  const sql = 'INSERT OR IGNORE INTO inbox (session, id, key, mode, at, text) VALUES (?, ?, ?, ?, ?, ?)';
  const key = item.key ?? null;
  const id = insertWithFreshId(
    () => timeId('i', now),
    (fresh) => db.run(sql, session, fresh, key, item.mode, now, item.text),
  );
  return toItem(item.sessionId, { id, key, mode: item.mode, at: now, fate: null, text: item.text });
}

export const waitingItems = (db: Db, sessionId: string): InboxItem[] =>
  db.all<InboxRow>(`${SELECT} WHERE ${OF_SESSION} AND fate IS NULL ORDER BY n`, sessionId).map((row) => toItem(sessionId, row));

export const allItems = (db: Db, sessionId: string): InboxItem[] =>
  db.all<InboxRow>(`${SELECT} WHERE ${OF_SESSION} ORDER BY n`, sessionId).map((row) => toItem(sessionId, row));

/** A fate is written once: a second one, even the same, means a text was handled twice. */
export function setFate(db: Db, session: number, id: string, fate: Fate): void {
  if (db.run('UPDATE inbox SET fate = ? WHERE id = ? AND session = ? AND fate IS NULL', fate, id, session) === 1) return;
  const known = db.get<{ fate: string }>('SELECT fate FROM inbox WHERE id = ? AND session = ?', id, session);
  if (known === undefined) throw new StoreError('missing', `Inbox text ${id} should become "${fate}", but this session has no such text.`);
  throw new StoreError(
    'taken',
    `Inbox text ${id} should become "${fate}", but it already became "${known.fate}": it must not be handled again.`,
  );
}

function toItem(sessionId: string, row: InboxRow): InboxItem {
  return {
    id: row.id,
    sessionId,
    text: row.text,
    mode: row.mode,
    ...(row.key !== null && { key: row.key }),
    at: row.at,
    ...(row.fate !== null && { fate: row.fate }),
  };
}
