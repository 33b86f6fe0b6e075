import type { AccountRef, ChatTarget, DeadTarget } from '../../../../contracts/gateway-store.ts';
import type { Cursor } from '../../../../contracts/platform-adapter.ts';
import type { Db } from '../database/db.ts';

export const readCursors = (db: Db, { platform, account }: AccountRef): Cursor[] =>
  db
    .all<Cursor>('SELECT scope, value FROM cursors WHERE platform = ? AND account = ? ORDER BY scope', platform, account)
    .map((row) => ({ ...row }));

interface DeadRow extends AccountRef {
  readonly chat: string;
  readonly thread: string;
  readonly at: number;
  readonly why: string;
}

export const listDead = (db: Db): DeadTarget[] =>
  db
    .all<DeadRow>('SELECT platform, account, chat, thread, at, why FROM dead_targets ORDER BY at, platform, account, chat, thread')
    .map(({ chat, thread, ...row }) => ({ ...row, chatId: chat, ...(thread !== '' && { threadId: thread }) }));

export function markDead(db: Db, { platform, account, chatId, threadId = '' }: ChatTarget, why: string, now: number): void {
  const sql = 'INSERT OR REPLACE INTO dead_targets (platform, account, chat, thread, at, why) VALUES (?, ?, ?, ?, ?, ?)';
  db.run(sql, platform, account, chatId, threadId, now, why);
}

/** Something was sent there: it is reached again. */
export function clearDead(db: Db, { platform, account, chatId, threadId = '' }: ChatTarget): void {
  const sql = 'DELETE FROM dead_targets WHERE platform = ? AND account = ? AND chat = ? AND thread = ?';
  db.run(sql, platform, account, chatId, threadId);
}
