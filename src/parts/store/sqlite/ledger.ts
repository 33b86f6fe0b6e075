import type { CallFilter, CallRecord, Spending } from '../../../contracts/session-store.ts';
import type { Db, Value } from './db.ts';
import { fromJson } from './json.ts';

export function insertCall(db: Db, session: number, call: CallRecord): void {
  const { usage } = call;
  db.run(
    `INSERT INTO calls (session, id, at, input, output, cache_read, cache_write, reasoning, price, record) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    session,
    call.id,
    call.at,
    usage.input,
    usage.output,
    usage.cacheRead,
    usage.cacheWrite,
    usage.reasoning,
    call.price ?? null,
    JSON.stringify(call),
  );
}

export function readCalls(db: Db, { sessionId, since, id }: CallFilter): CallRecord[] {
  const wanted: readonly (readonly [string, Value | undefined])[] = [
    ['session = (SELECT n FROM sessions WHERE id = ?)', sessionId],
    ['at >= ?', since],
    ['id = ?', id],
  ];
  const given = wanted.filter((pair): pair is readonly [string, Value] => pair[1] !== undefined);
  const where = given.length === 0 ? '' : `WHERE ${given.map(([sql]) => sql).join(' AND ')}`;
  const rows = db.all<{ record: string }>(`SELECT record FROM calls ${where} ORDER BY at, n`, ...given.map(([, value]) => value));
  return rows.map((row) => fromJson<CallRecord>(row.record, 'a call of the ledger'));
}

interface SpentRow {
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  readonly cache_read: number;
  readonly cache_write: number;
  readonly reasoning: number;
  readonly price: number;
  readonly priced: number;
}

export function sumCalls(db: Db, sessionId: string): Spending {
  const sql = `SELECT count(*) AS calls, total(input) AS input, total(output) AS output, total(cache_read) AS cache_read,
    total(cache_write) AS cache_write, total(reasoning) AS reasoning, total(price) AS price, count(price) AS priced
    FROM calls WHERE session = (SELECT n FROM sessions WHERE id = ?)`;
  const row = db.get<SpentRow>(sql, sessionId);
  if (row === undefined) throw new Error('a sum without GROUP BY gave no row');
  const { calls, input, output, reasoning, price, priced } = row;
  return {
    calls,
    usage: { input, output, cacheRead: row.cache_read, cacheWrite: row.cache_write, reasoning },
    price,
    unpriced: calls - priced,
  };
}
