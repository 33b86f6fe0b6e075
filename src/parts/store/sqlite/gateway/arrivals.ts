import { createTimeId } from '../../../../base/ids.ts';
import type {
  AccountCursor,
  Arrival,
  ArrivalFilter,
  ArrivalState,
  NewArrival,
  Settlement,
  StrangerEvent,
  Taken,
} from '../../../../contracts/gateway-store.ts';
import type { Db } from '../database/db.ts';
import { insertWithFreshId } from '../database/fresh-id.ts';
import { fromJson } from '../database/json.ts';
import { closeRow, holdRow, joinLine, type HeldRow } from './line.ts';

interface ArrivalRow {
  readonly n: number;
  readonly id: string;
  readonly platform: string;
  readonly account: string;
  readonly chat: string;
  readonly event_key: string;
  readonly state: ArrivalState;
  readonly at: number;
  readonly attempts: number;
  readonly session_id: string | null;
  readonly item_id: string | null;
  readonly why: string | null;
  readonly body: string;
}
const SELECT = 'SELECT n, id, platform, account, chat, event_key, state, at, attempts, session_id, item_id, why, body FROM arrivals';

/** Gives the ids of those that were not known. */
export function keepArrivals(db: Db, arrivals: readonly NewArrival[], cursors: readonly AccountCursor[], now: number): string[] {
  const fresh = arrivals.flatMap((arrival) => keepArrival(db, arrival, now) ?? []);
  const sql = `INSERT INTO cursors (platform, account, scope, value) VALUES (?, ?, ?, ?)
    ON CONFLICT (platform, account, scope) DO UPDATE SET value = excluded.value`;
  for (const { platform, account, scope, value } of cursors) db.run(sql, platform, account, scope, value);
  return fresh;
}

const KNOWN = 'SELECT 1 FROM arrivals WHERE platform = ? AND account = ? AND event_key = ?';

function keepArrival(db: Db, { platform, account, eventKey, serialKey, event }: NewArrival, now: number): string | undefined {
  if (db.get(KNOWN, platform, account, eventKey) !== undefined) return undefined;
  const sql = `INSERT OR IGNORE INTO arrivals (id, platform, account, chat, event_key, state, at, not_before, is_bare, body)
    VALUES (?, ?, ?, ?, ?, 'new', ?, ?, ?, ?)`;
  const [bare, body] = [event.type === 'stranger' ? 1 : 0, JSON.stringify(event)];
  return joinLine(db, 'arrivals', { platform, account, chat: serialKey }, 0, () =>
    insertWithFreshId(
      () => createTimeId('a', now),
      (id) => db.run(sql, id, platform, account, serialKey, eventKey, now, now, bare, body),
    ),
  );
}

/** Where an arrival went. */
export interface ArrivalGoal {
  readonly sessionId: string;
  readonly itemId: string;
}
export function closeArrival(
  db: Db,
  row: HeldRow,
  end: { readonly state: ArrivalState; readonly why?: string | undefined; readonly goal?: ArrivalGoal },
  now: number,
): void {
  const { state, why, goal } = end;
  if (goal !== undefined) db.run('UPDATE arrivals SET session_id = ?, item_id = ? WHERE n = ?', goal.sessionId, goal.itemId, row.n);
  if (state === 'refused') bareArrival(db, row.n);
  closeRow(db, 'arrivals', row, { state, why }, now);
}

export const settleArrival = (db: Db, taken: Taken, { state, why }: Settlement, now: number): void =>
  closeArrival(db, holdRow(db, 'arrival', taken), { state, why }, now);

/** Takes what was said out of an arrival; that something came stays. */
export function bareArrival(db: Db, n: number): void {
  const row = db.get<ArrivalRow>(`${SELECT} WHERE n = ?`, n);
  if (row === undefined) return;
  const event = JSON.stringify(toBare(toArrival(row).event));
  db.run('UPDATE arrivals SET body = ?, is_bare = 1 WHERE n = ?', event, n);
}

function toBare(event: Arrival['event']): StrangerEvent {
  if (event.type === 'stranger') return event;
  const { chatId, threadId, type } = event.chat;
  return {
    type: 'stranger',
    chat: { chatId, type, ...(threadId !== undefined && { threadId }) },
    senderId: event.sender.id,
    sentAt: event.sentAt,
  };
}

export function findArrival(db: Db, id: string): Arrival {
  const row = db.get<ArrivalRow>(`${SELECT} WHERE id = ?`, id);
  if (row === undefined) throw new Error(`arrival ${id} was taken and has no row`);
  return toArrival(row);
}

const LISTED = `WHERE (?1 IS NULL OR platform = ?1) AND (?2 IS NULL OR state IN (SELECT value FROM json_each(?2))) ORDER BY n LIMIT ?3`;
const BEHIND = 'WHERE platform = ? AND account = ? AND chat = ? AND over_at IS NULL AND n > ? ORDER BY n LIMIT ?';

export function listArrivals(db: Db, { platform, states, behind, limit = -1 }: ArrivalFilter): Arrival[] {
  const held = behind && holdRow(db, 'arrival', behind);
  const rows =
    held === undefined
      ? db.all<ArrivalRow>(`${SELECT} ${LISTED}`, platform ?? null, states === undefined ? null : JSON.stringify(states), limit)
      : db.all<ArrivalRow>(`${SELECT} ${BEHIND}`, held.platform, held.account, held.chat, held.n, limit);
  return rows.map(toArrival);
}

function toArrival(row: ArrivalRow): Arrival {
  return {
    id: row.id,
    platform: row.platform,
    account: row.account,
    eventKey: row.event_key,
    serialKey: row.chat,
    event: fromJson<Arrival['event']>(row.body, `arrival ${row.id}`),
    at: row.at,
    state: row.state,
    attempts: row.attempts,
    ...(row.session_id !== null && { sessionId: row.session_id }),
    ...(row.item_id !== null && { itemId: row.item_id }),
    ...(row.why !== null && { why: row.why }),
  };
}
