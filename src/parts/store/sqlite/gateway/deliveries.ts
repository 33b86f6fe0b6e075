import { createTimeId } from '../../../../base/ids.ts';
import type { Delivery, DeliveryFilter, FinalDeliveryState, NewDelivery, Taken } from '../../../../contracts/gateway-store.ts';
import type { Db } from '../database/db.ts';
import { insertWithFreshId } from '../database/fresh-id.ts';
import { fromJson } from '../database/json.ts';
import { closeRow, holdRow, joinLine, type WorkLine } from './line.ts';
import { readParts } from './parts.ts';

interface DeliveryRow {
  readonly n: number;
  readonly id: string;
  readonly key: string;
  readonly state: Delivery['state'];
  readonly at: number;
  readonly attempts: number;
  readonly expires_at: number;
  readonly session_id: string | null;
  readonly turn_id: string | null;
  readonly why: string | null;
  readonly body: string;
}
/** What of a delivery is kept as one JSON text. */
type DeliveryBody = Omit<NewDelivery, 'key' | 'sessionId' | 'turnId' | 'delayMs' | 'maxAgeMs'>;

const SELECT = 'SELECT n, id, key, state, at, attempts, expires_at, session_id, turn_id, why, body FROM deliveries';
/** What is older than a day is no answer any more. */
const MAX_AGE_MS = 86_400_000;

/** Gives their ids, known or new. */
export const planDeliveries = (db: Db, deliveries: readonly NewDelivery[], now: number): string[] =>
  deliveries.map((delivery) => findKnown(db, delivery.key) ?? insertDelivery(db, delivery, now));

const findKnown = (db: Db, key: string): string | undefined => db.get<{ id: string }>('SELECT id FROM deliveries WHERE key = ?', key)?.id;

function insertDelivery(db: Db, delivery: NewDelivery, now: number): string {
  const { key, sessionId, turnId, delayMs = 0, maxAgeMs = MAX_AGE_MS, ...rest } = delivery;
  const { platform, account, chatId } = rest.target;
  const body = JSON.stringify(rest satisfies DeliveryBody);
  const place = delayMs > 0 ? now + delayMs : 0;
  const sql = `INSERT OR IGNORE INTO deliveries (id, platform, account, chat, state, at, place, not_before, key, expires_at, session_id, turn_id, body)
    VALUES (?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?, ?, ?, ?)`;
  const values = [
    platform,
    account,
    chatId,
    now,
    place,
    now + delayMs,
    key,
    now + maxAgeMs,
    sessionId ?? null,
    turnId ?? null,
    body,
  ] as const;
  return joinLine(db, 'deliveries', { platform, account, chat: chatId }, place, () =>
    insertWithFreshId(
      () => createTimeId('d', now),
      (id) => db.run(sql, id, ...values),
    ),
  );
}

export const finishDelivery = (db: Db, taken: Taken, state: FinalDeliveryState, why: string | undefined, now: number): void =>
  closeRow(db, 'deliveries', holdRow(db, 'delivery', taken), { state, why }, now);

/** Something arrived from a chat: what waited for that is due. */
export function releaseHeard(db: Db, { platform, account, chat }: WorkLine, now: number): boolean {
  const sql = `UPDATE deliveries SET or_heard = 0, not_before = ?1, due = CASE WHEN due IS NULL THEN NULL ELSE ?1 END
    WHERE or_heard = 1 AND over_at IS NULL AND owner IS NULL AND platform = ?2 AND account = ?3 AND chat = ?4`;
  return db.run(sql, now, platform, account, chat) > 0;
}

export function findDelivery(db: Db, id: string, now: number): Delivery {
  const row = db.get<DeliveryRow>(`${SELECT} WHERE id = ?`, id);
  if (row === undefined) throw new Error(`delivery ${id} was taken and has no row`);
  return toDelivery(db, row, now);
}

const OF_STATES = '(?1 IS NULL OR state IN (SELECT value FROM json_each(?1))) AND (?2 IS NULL OR platform = ?2)';

export function listDeliveries(db: Db, filter: DeliveryFilter, now: number): Delivery[] {
  const { platform, sessionId, key, states, limit = -1 } = filter;
  const chosen = [states === undefined ? null : JSON.stringify(states), platform ?? null] as const;
  const only = [
    ...(sessionId === undefined ? [] : [['session_id', sessionId] as const]),
    ...(key === undefined ? [] : [['key', key] as const]),
  ];
  const where = [...only.map(([column], index) => `${column} = ?${index + 4}`), OF_STATES].join(' AND ');
  const rows = db.all<DeliveryRow>(`${SELECT} WHERE ${where} ORDER BY n LIMIT ?3`, ...chosen, limit, ...only.map(([, value]) => value));
  return rows.map((row) => toDelivery(db, row, now));
}

function toDelivery(db: Db, row: DeliveryRow, now: number): Delivery {
  const parts = readParts(db, row.n);
  return {
    id: row.id,
    key: row.key,
    ...fromJson<DeliveryBody>(row.body, `delivery ${row.id}`),
    ...(row.session_id !== null && { sessionId: row.session_id }),
    ...(row.turn_id !== null && { turnId: row.turn_id }),
    at: row.at,
    state: row.state,
    ...(row.why !== null && { why: row.why }),
    attempts: row.attempts,
    expiresAt: row.expires_at,
    ageMs: Math.max(0, now - row.at),
    ...(parts.length > 0 && { parts }),
  };
}
