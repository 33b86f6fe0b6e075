import type { DeliveryContent, DeliveryPart, NewPart } from '../../../../contracts/gateway-store.ts';
import type { Db } from '../database/db.ts';
import { fromJson } from '../database/json.ts';

interface PartRow {
  readonly position: number;
  readonly key: string;
  readonly state: DeliveryPart['state'];
  readonly begun_at: number | null;
  readonly message_id: string | null;
  readonly is_uncertain: number;
  readonly content: string;
}

/** Cuts a delivery, once. The key of a part is made of the delivery's id: short, and the same at every attempt. */
export function insertParts(db: Db, delivery: number, id: string, parts: readonly NewPart[]): void {
  const sql = `INSERT INTO delivery_parts (delivery, position, key, state, content) VALUES (?, ?, ?, 'waiting', ?)`;
  const key = (index: number) => `${id.replace(/[^a-z0-9]/gu, '')}p${index.toString(36)}`;
  parts.forEach(({ content }, index) => db.run(sql, delivery, index, key(index), JSON.stringify(content)));
}

export function readParts(db: Db, delivery: number): DeliveryPart[] {
  const sql =
    'SELECT position, key, state, begun_at, message_id, is_uncertain, content FROM delivery_parts WHERE delivery = ? ORDER BY position';
  return db.all<PartRow>(sql, delivery).map((row) => ({
    index: row.position,
    key: row.key,
    content: fromJson<DeliveryContent>(row.content, `part ${row.key} of a delivery`),
    state: row.state,
    ...(row.begun_at !== null && { begunAt: row.begun_at }),
    ...(row.message_id !== null && { messageId: row.message_id }),
    ...(row.is_uncertain === 1 && { uncertain: true }),
  }));
}
