import type { Db } from '../database/db.ts';
import { closeRow, type HeldRow } from './line.ts';

const KEPT_MS = 7 * 86_400_000;
/** Rows without words, of each account. */
const MAX_BARE = 1000;
/** Rows that go at a time. */
const HELPING = 500;

/** Lets go of what is long over; says whether there is more. */
export function pruneGateway(db: Db, now: number): boolean {
  const gone = [
    db.run(`DELETE FROM arrivals WHERE n IN (SELECT n FROM arrivals WHERE over_at < ? LIMIT ?)`, now - KEPT_MS, HELPING),
    pruneBare(db),
    pruneDeliveries(db, now - KEPT_MS),
    expireDeliveries(db, now),
  ];
  return gone.some((count) => count >= HELPING);
}

function pruneDeliveries(db: Db, before: number): number {
  const old = db.all<{ n: number }>('SELECT n FROM deliveries WHERE over_at < ? LIMIT ?', before, HELPING);
  const numbers = JSON.stringify(old.map(({ n }) => n));
  db.run('DELETE FROM delivery_parts WHERE delivery IN (SELECT value FROM json_each(?))', numbers);
  return db.run('DELETE FROM deliveries WHERE n IN (SELECT value FROM json_each(?))', numbers);
}

/** Those nobody ever took: their account is no longer there. */
function expireDeliveries(db: Db, now: number): number {
  const sql = 'SELECT n, platform, account, chat FROM deliveries WHERE over_at IS NULL AND expires_at < ? LIMIT ?';
  const old = db.all<HeldRow>(sql, now - KEPT_MS, HELPING);
  for (const row of old) closeRow(db, 'deliveries', row, { state: 'expired', why: undefined }, now);
  return old.length;
}

function pruneBare(db: Db): number {
  const accounts = db.all<{ platform: string; account: string }>('SELECT DISTINCT platform, account FROM arrivals WHERE is_bare = 1');
  const surplus = `SELECT n FROM arrivals WHERE is_bare = 1 AND platform = ? AND account = ? ORDER BY n DESC LIMIT ? OFFSET ${MAX_BARE}`;
  return Math.max(
    0,
    ...accounts.map(({ platform, account }) =>
      db.run(`DELETE FROM arrivals WHERE over_at IS NOT NULL AND n IN (${surplus})`, platform, account, HELPING),
    ),
  );
}
