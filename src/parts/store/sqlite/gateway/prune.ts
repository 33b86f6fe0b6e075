import type { Db } from '../database/db.ts';
import { closeRow, type HeldRow } from './line.ts';

const KEPT_MS = 7 * 86_400_000;
/** What is only remembered of a place that nobody came back to. */
const UNUSED_MS = 90 * 86_400_000;
/** Rows without words, of each account. */
const MAX_BARE = 1000;
/** Rows that go at a time. */
const HELPING = 500;

/** Lets go of what is long over; says whether there is more. */
export function pruneGateway(db: Db, now: number): boolean {
  const gone = [
    db.run(`DELETE FROM arrivals WHERE n IN (SELECT n FROM arrivals WHERE over_at < ? LIMIT ?)`, now - KEPT_MS, HELPING),
    pruneFacts(db),
    pruneBare(db),
    pruneDeliveries(db, now - KEPT_MS),
    expireDeliveries(db, now),
    pruneThreads(db, now - UNUSED_MS),
    pruneDead(db, now - UNUSED_MS),
    pruneCursors(db, now),
  ];
  return gone.some((count) => count >= HELPING);
}

/** What was noted of the work on an arrival (`nameArrivalFact`) goes with it. */
const pruneFacts = (db: Db): number =>
  db.run(
    `DELETE FROM facts WHERE key IN (SELECT key FROM facts WHERE key >= 'arrival:' AND key < 'arrival;' AND NOT EXISTS
      (SELECT 1 FROM arrivals WHERE id = substr(facts.key, 9, instr(facts.key, ' ') - 9) AND over_at IS NULL) LIMIT ?)`,
    HELPING,
  );

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
  for (const row of old) closeRow(db, 'deliveries', row, { state: 'expired', why: 'no gateway had its account' }, now);
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

/**
 * Where every mention opens a thread, or every event of a program a chat, each leaves a route; and one of which only facts are
 * known, because nobody wrote there. Other chats stay: they say who somebody is, and where the owner is found.
 */
const pruneThreads = (db: Db, before: number): number =>
  db.run(
    `DELETE FROM routes WHERE n IN (SELECT n FROM routes
      WHERE session_id IS NULL AND used_at < ?
      AND (place IS NULL OR place ->> '$.chat.type' = 'thread' OR place ->> '$.chat.isOneOff' = 1) LIMIT ?)`,
    before,
    HELPING,
  );

function pruneCursors(db: Db, now: number): number {
  const old = db.all<{ platform: string; account: string; scope: string }>(
    'SELECT platform, account, scope FROM cursors WHERE expires_at < ? LIMIT ?',
    now,
    HELPING,
  );
  const sql = 'DELETE FROM cursors WHERE platform = ? AND account = ? AND scope = ?';
  for (const { platform, account, scope } of old) db.run(sql, platform, account, scope);
  return old.length;
}

/** A chat that is still gone is found to be so with the next thing that is sent there. */
const pruneDead = (db: Db, before: number): number => db.run('DELETE FROM dead_targets WHERE at < ?', before);
