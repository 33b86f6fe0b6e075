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
import { StoreError } from '../../../../contracts/session-store.ts';
import type { Db } from '../database/db.ts';
import { insertWithFreshId } from '../database/fresh-id.ts';
import { fromJson } from '../database/json.ts';
import { planDeliveries, releaseHeard } from './deliveries.ts';
import { closeRow, holdRow, joinLine, type HeldRow, type WorkLine } from './line.ts';
import { currentKey, noteMovedChat } from './moved.ts';
import { acceptPairing } from './pairing.ts';

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

export interface KeptArrivals {
  /** The ids of those that were not known. */
  readonly fresh: readonly string[];
  /** Something that is to go out is due because of them. */
  readonly isMoreToSend: boolean;
}
export function keepArrivals(db: Db, arrivals: readonly NewArrival[], cursors: readonly AccountCursor[], now: number): KeptArrivals {
  const fresh = arrivals.flatMap((arrival) => keepArrival(db, arrival, now) ?? []);
  const released = arrivals.filter(({ platform, account, event }) => releaseHeard(db, { platform, account, chat: event.chat.chatId }, now));
  for (const cursor of cursors) keepCursor(db, cursor, now);
  return { fresh, isMoreToSend: released.length > 0 || arrivals.some(({ redeems }) => redeems !== undefined) };
}

function keepCursor(db: Db, { platform, account, scope, value, keepMs }: AccountCursor, now: number): void {
  const sql = `INSERT INTO cursors (platform, account, scope, value, expires_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (platform, account, scope) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`;
  db.run(sql, platform, account, scope, value, keepMs === undefined ? null : now + keepMs);
}

const OF_EVENT = 'WHERE platform = ? AND account = ? AND event_key = ?';
const KNOWN = `SELECT 1 FROM arrivals ${OF_EVENT}`;

function keepArrival(db: Db, arrival: NewArrival, now: number): string | undefined {
  const { platform, account, eventKey, event, redeems } = arrival;
  if (db.get(KNOWN, platform, account, eventKey) !== undefined) return undefined;
  if (event.type === 'moved') noteMovedChat(db, arrival, event.chat.chatId, event.to.chatId, now);
  const line = { platform, account, chat: currentKey(db, arrival.serialKey) };
  const insert = (): string => insertArrival(db, line, arrival, now);
  if (redeems === undefined || !acceptPairing(db, redeems.pairingId, redeems.person, now)) return joinLine(db, 'arrivals', line, 0, insert);
  // Over before anybody takes it: nothing of it may reach a session, however often the platform brings it.
  db.run(`UPDATE arrivals SET state = 'command', over_at = ?, why = ? WHERE id = ?`, now, 'it was a pairing code', insert());
  planDeliveries(db, redeems.deliveries, now);
  return undefined;
}

function insertArrival(db: Db, { platform, account, chat }: WorkLine, { eventKey, event, delayMs = 0 }: NewArrival, now: number): string {
  const sql = `INSERT OR IGNORE INTO arrivals (id, platform, account, chat, event_key, state, at, not_before, is_bare, body)
    VALUES (?, ?, ?, ?, ?, 'new', ?, ?, ?, ?)`;
  const [bare, body] = [event.type === 'stranger' ? 1 : 0, JSON.stringify(event)];
  return insertWithFreshId(
    () => createTimeId('a', now),
    (id) => db.run(sql, id, platform, account, chat, eventKey, now, now + delayMs, bare, body),
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

export function settleArrival(db: Db, taken: Taken, { state, why, with: others = [] }: Settlement, now: number): void {
  const row = holdRow(db, 'arrival', taken);
  for (const part of [...others.map((id) => findBehind(db, row, id)), row]) closeArrival(db, part, { state, why }, now);
}

/** Whoever has the first of a line has the line. Somebody else may only have what goes past it, which is never a part of it. */
export function findBehind(db: Db, { n, platform, account, chat }: HeldRow, id: string): HeldRow {
  const sql = `SELECT n, platform, account, chat FROM arrivals
    WHERE id = ? AND platform = ? AND account = ? AND chat = ? AND over_at IS NULL AND n > ?`;
  const row = db.get<HeldRow>(sql, id, platform, account, chat, n);
  if (row !== undefined) return row;
  throw new StoreError('missing', `Arrival ${id} cannot be part of this message: it does not wait behind it in the same chat.`);
}

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

export function listArrivals(db: Db, { platform, states, behind, event, limit = -1 }: ArrivalFilter): Arrival[] {
  if (event !== undefined) return db.all<ArrivalRow>(`${SELECT} ${OF_EVENT}`, event.platform, event.account, event.eventKey).map(toArrival);
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
