import type { Db } from '../database/db.ts';

/** Strangers can make up as many names as they like; the counters that end first give way. */
const MAX_COUNTERS = 10_000;

/** Counts within a window that begins with the first; gives how often, this time included. */
export function countUp(db: Db, what: string, windowMs: number, now: number): number {
  const sql = 'UPDATE counters SET count = count + 1 WHERE what = ? AND ends_at > ? RETURNING count';
  const known = db.get<{ count: number }>(sql, what, now);
  if (known !== undefined) return known.count;
  db.run('DELETE FROM counters WHERE ends_at <= ?', now);
  setCounter(db, what, 1, now + windowMs);
  const surplus = 'SELECT what FROM counters ORDER BY ends_at LIMIT max(0, (SELECT count(*) FROM counters) - ?)';
  db.run(`DELETE FROM counters WHERE what IN (${surplus})`, MAX_COUNTERS);
  return 1;
}

export function setCounter(db: Db, what: string, count: number, endsAt: number): void {
  db.run('INSERT OR REPLACE INTO counters (what, count, ends_at) VALUES (?, ?, ?)', what, count, endsAt);
}

export function dropCounter(db: Db, what: string): void {
  db.run('DELETE FROM counters WHERE what = ?', what);
}

/** How long a counter's window still lasts; `undefined` when there is none. */
export function readRemaining(db: Db, what: string, now: number): number | undefined {
  const row = db.get<{ ends_at: number }>('SELECT ends_at FROM counters WHERE what = ? AND ends_at > ?', what, now);
  return row && row.ends_at - now;
}
