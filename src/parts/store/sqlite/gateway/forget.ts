import type { Db } from '../database/db.ts';
import { bareArrival } from './arrivals.ts';
import { closeRow, type HeldRow } from './line.ts';

const NO_WORDS = JSON.stringify({ type: 'text', markdown: '' });

/** A session goes: chats lead to none, its messages lose their words, and what of it was still to go out does not. */
export function forgetSessionChats(db: Db, sessionId: string, now: number): void {
  db.run('UPDATE routes SET session_id = NULL WHERE session_id = ?', sessionId);
  for (const { n } of db.all<{ n: number }>('SELECT n FROM arrivals WHERE session_id = ?', sessionId)) bareArrival(db, n);
  const open = db.all<HeldRow>('SELECT n, platform, account, chat FROM deliveries WHERE session_id = ? AND over_at IS NULL', sessionId);
  for (const row of open) closeRow(db, 'deliveries', row, { state: 'withdrawn', why: 'The session was removed.' }, now);
  db.run('DELETE FROM delivery_parts WHERE delivery IN (SELECT n FROM deliveries WHERE session_id = ?)', sessionId);
  db.run(`UPDATE deliveries SET body = json_set(body, '$.content', json(?)) WHERE session_id = ?`, NO_WORDS, sessionId);
}
