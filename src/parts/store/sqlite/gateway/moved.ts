import type { AccountRef, MovedChat } from '../../../../contracts/gateway-store.ts';
import type { Db } from '../database/db.ts';

/** Anybody can make a group and have it move; of each account the latest are kept. */
const MAX_MOVED = 10_000;

/** Every id leads to the last one at once, however often a chat moved. */
export function noteMovedChat(db: Db, { platform, account }: AccountRef, from: string, to: string, now: number): void {
  const own = [platform, account] as const;
  db.run('UPDATE moved_chats SET to_chat = ? WHERE platform = ? AND account = ? AND to_chat = ?', to, ...own, from);
  db.run('INSERT OR REPLACE INTO moved_chats (platform, account, chat, to_chat, at) VALUES (?, ?, ?, ?, ?)', ...own, from, to, now);
  // A chat that has its old id again has not moved.
  db.run('DELETE FROM moved_chats WHERE platform = ? AND account = ? AND chat = ?', ...own, to);
  const surplus = `SELECT chat FROM moved_chats WHERE platform = ?1 AND account = ?2 ORDER BY at DESC, chat LIMIT -1 OFFSET ${MAX_MOVED}`;
  db.run(`DELETE FROM moved_chats WHERE platform = ?1 AND account = ?2 AND chat IN (${surplus})`, ...own);
}

export const readMovedChats = (db: Db, { platform, account }: AccountRef): MovedChat[] =>
  db
    .all<MovedChat>(
      'SELECT chat AS "from", to_chat AS "to" FROM moved_chats WHERE platform = ? AND account = ? ORDER BY at, chat',
      platform,
      account,
    )
    .map((row) => ({ ...row }));

export function noteMovedRoute(db: Db, from: string, to: string, now: number): void {
  db.run('UPDATE moved_routes SET to_key = ? WHERE to_key = ?', to, from);
  db.run('INSERT OR REPLACE INTO moved_routes (key, to_key, at) VALUES (?, ?, ?)', from, to, now);
  db.run('DELETE FROM moved_routes WHERE key = ?', to);
  const surplus = `SELECT key FROM moved_routes ORDER BY at DESC, key LIMIT -1 OFFSET ${MAX_MOVED}`;
  db.run(`DELETE FROM moved_routes WHERE key IN (${surplus})`);
}

/** The key a chat has now. */
export const currentKey = (db: Db, key: string): string =>
  db.get<{ to_key: string }>('SELECT to_key FROM moved_routes WHERE key = ?', key)?.to_key ?? key;
