import type { DeliveryPart, NewPart, PartResult, Taken } from '../../../../contracts/gateway-store.ts';
import { StoreError } from '../../../../contracts/session-store.ts';
import type { Db } from '../database/db.ts';
import { findDelivery } from './deliveries.ts';
import { closeRow, holdRow, type HeldRow } from './line.ts';
import { insertParts, readParts } from './parts.ts';
import { clearDead } from './targets.ts';

export function beginPart(db: Db, taken: Taken, index: number, parts: readonly NewPart[] | undefined, now: number): DeliveryPart[] {
  const row = holdRow(db, 'delivery', taken);
  if (parts !== undefined && readParts(db, row.n).length === 0) insertParts(db, row.n, taken.id, parts);
  begin(db, row, taken, index, now);
  return readParts(db, row.n);
}

export function endPart(
  db: Db,
  taken: Taken,
  index: number,
  result: PartResult,
  next: { readonly andBegin: number | undefined; readonly now: number },
): void {
  const row = holdRow(db, 'delivery', taken);
  const { messageId = null, uncertain = false } = result.state === 'sent' ? result : {};
  const sql = 'UPDATE delivery_parts SET state = ?, message_id = ?, is_uncertain = ? WHERE delivery = ? AND position = ? AND state = ?';
  if (db.run(sql, result.state, messageId, uncertain ? 1 : 0, row.n, index, 'sending') !== 1) throw createNotBegunError(taken, index);
  if (result.state === 'failed') db.run('UPDATE deliveries SET why = ? WHERE n = ?', result.why, row.n);
  if (result.state === 'sent') clearDead(db, findDelivery(db, taken.id, next.now).target);
  if (next.andBegin !== undefined) begin(db, row, taken, next.andBegin, next.now);
  if (readParts(db, row.n).every(({ state }) => state === 'sent'))
    closeRow(db, 'deliveries', row, { state: 'sent', why: undefined }, next.now);
}

/** What is there already is not sent again. */
function begin(db: Db, row: HeldRow, taken: Taken, index: number, now: number): void {
  const sql = `UPDATE delivery_parts SET state = 'sending', begun_at = coalesce(begun_at, ?)
    WHERE delivery = ? AND position = ? AND state <> 'sent'`;
  if (db.run(sql, now, row.n, index) === 1) return;
  const isSent = readParts(db, row.n).some((part) => part.index === index);
  throw isSent
    ? new StoreError('taken', `Part ${index} of delivery ${taken.id} was sent already: it must not be sent again.`)
    : new StoreError('missing', `Delivery ${taken.id} has no part ${index}. Cut it when its first part begins.`);
}

const createNotBegunError = (taken: Taken, index: number): StoreError =>
  new StoreError('missing', `Part ${index} of delivery ${taken.id} was not begun, so nothing can have come of it.`);
