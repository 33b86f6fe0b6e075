import { createTimeId } from '../../../base/ids.ts';
import { StoreError, type MessageFate, type InboxItem, type InboxMode, type NewInboxItem } from '../../../contracts/session-store.ts';
import type { Db } from './database/db.ts';
import { insertWithFreshId } from './database/fresh-id.ts';
import { fromJson } from './database/json.ts';
import { readSessionNumber } from './sessions.ts';

interface InboxRow {
  readonly id: string;
  readonly key: string | null;
  readonly mode: InboxMode;
  readonly at: number;
  readonly fate: MessageFate | null;
  readonly turn_id: string | null;
  readonly body: string;
}
/** What of a message is kept as one JSON text. */
type InboxBody = Pick<NewInboxItem, 'content' | 'origin' | 'overlay' | 'quoted' | 'replyTo' | 'sentAt' | 'sampling'>;

const SELECT = 'SELECT id, key, mode, at, fate, turn_id, body FROM inbox';
const OF_SESSION = 'session = (SELECT n FROM sessions WHERE id = ?)';

export function postItem(db: Db, item: NewInboxItem, now: number): InboxItem {
  const { sessionId, mode, key = null, fate = null, ...rest } = item;
  const session = readSessionNumber(db, sessionId);
  const known = key === null ? undefined : db.get<InboxRow>(`${SELECT} WHERE session = ? AND key = ?`, session, key);
  if (known !== undefined) return toItem(sessionId, known);
  const body = JSON.stringify(rest satisfies InboxBody);
  const sql = 'INSERT OR IGNORE INTO inbox (session, id, key, mode, at, fate, body) VALUES (?, ?, ?, ?, ?, ?, ?)';
  const id = insertWithFreshId(
    () => createTimeId('i', now),
    (fresh) => db.run(sql, session, fresh, key, mode, now, fate, body),
  );
  return toItem(sessionId, { id, key, mode, at: now, fate, turn_id: null, body });
}

export const listWaitingItems = (db: Db, sessionId: string): InboxItem[] =>
  db.all<InboxRow>(`${SELECT} WHERE ${OF_SESSION} AND fate IS NULL ORDER BY n`, sessionId).map((row) => toItem(sessionId, row));

export const listInboxItems = (db: Db, sessionId: string): InboxItem[] =>
  db.all<InboxRow>(`${SELECT} WHERE ${OF_SESSION} ORDER BY n`, sessionId).map((row) => toItem(sessionId, row));

interface DecidedFate {
  readonly id: string;
  readonly fate: MessageFate;
  /** The turn it is given in. */
  readonly turnId: string | undefined;
}
/** A fate is written once: a second one, even the same, means a message was handled twice. */
export function setFate(db: Db, session: number, { id, fate, turnId }: DecidedFate): void {
  const sql = 'UPDATE inbox SET fate = ?, turn_id = ? WHERE id = ? AND session = ? AND fate IS NULL';
  if (db.run(sql, fate, turnId ?? null, id, session) === 1) return;
  const known = db.get<{ fate: string }>('SELECT fate FROM inbox WHERE id = ? AND session = ?', id, session);
  if (known === undefined)
    throw new StoreError('missing', `Inbox message ${id} should become "${fate}", but this session has no such message.`);
  throw new StoreError(
    'taken',
    `Inbox message ${id} should become "${fate}", but it already became "${known.fate}": it must not be handled again.`,
  );
}

function toItem(sessionId: string, row: InboxRow): InboxItem {
  return {
    id: row.id,
    sessionId,
    mode: row.mode,
    ...(row.key !== null && { key: row.key }),
    at: row.at,
    ...(row.fate !== null && { fate: row.fate }),
    ...(row.turn_id !== null && { turnId: row.turn_id }),
    ...fromJson<InboxBody>(row.body, `message ${row.id} in the inbox of session ${sessionId}`),
  };
}
