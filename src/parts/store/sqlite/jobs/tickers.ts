import type { Ticker } from '../../../../contracts/job-store.ts';
import type { Db } from '../database/db.ts';
import type { RowHolder } from '../gateway/base.ts';
import { isDead, isNear, nameProcess, readProcess } from '../gateway/holders.ts';

interface TickerRow {
  readonly process: string;
  readonly kind: string;
  readonly since: number;
  readonly seen_at: number;
  readonly lease: number;
}

export function announceTicker(db: Db, kind: string, leaseMs: number, me: RowHolder, now: number): void {
  for (const { process } of db.all<TickerRow>('SELECT * FROM tickers').filter((row) => isGone(row, me, now)))
    db.run('DELETE FROM tickers WHERE process = ?', process);
  const sql = `INSERT INTO tickers (process, kind, since, seen_at, lease) VALUES (?1, ?2, ?3, ?3, ?4)
    ON CONFLICT (process) DO UPDATE SET kind = ?2, seen_at = ?3, lease = ?4`;
  db.run(sql, nameProcess(me), kind, now, now + leaseMs);
}

export const withdrawTicker = (db: Db, me: RowHolder): void => void db.run('DELETE FROM tickers WHERE process = ?', nameProcess(me));

export const listTickers = (db: Db, me: RowHolder, now: number): Ticker[] =>
  db
    .all<TickerRow>('SELECT * FROM tickers ORDER BY since')
    .filter((row) => !isGone(row, me, now))
    .map(({ process, kind, since, seen_at: seenAt }) => ({
      kind,
      ...readProcess(process),
      since,
      msSinceLook: Math.max(0, now - seenAt),
    }));

/** A process of this machine that lives is there, also while it is stopped. */
const isGone = ({ process, lease }: TickerRow, me: RowHolder, now: number): boolean =>
  isNear(process, me) ? isDead(process, me) : lease <= now;
