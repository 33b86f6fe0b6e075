import type { AccountRef, Delivery, MovedKeys } from '../../../../contracts/gateway-store.ts';
import type { ChatPlace } from '../../../../contracts/platform-adapter.ts';
import type { Db } from '../database/db.ts';
import { fromJson } from '../database/json.ts';
import { mergeLines } from './line.ts';
import { noteMovedChat, noteMovedRoute } from './moved.ts';
import { moveRoute } from './routes.ts';

export interface ChatMoveStep {
  readonly account: AccountRef;
  readonly from: ChatPlace;
  readonly to: ChatPlace;
  readonly keys: MovedKeys;
}

/** All that goes by the id of a chat goes by its new one. */
export function moveChat(db: Db, { account: ref, from, to, keys }: ChatMoveStep, now: number): void {
  const { platform, account } = ref;
  moveRoute(db, keys, ({ chat }) => {
    const { threadId: _, ...rest } = chat;
    return { target: { platform, account, ...to }, chat: { ...rest, ...to } };
  });
  noteMovedRoute(db, keys.from, keys.to, now);
  moveDeliveries(db, ref, from, to);
  mergeLines(db, 'arrivals', { platform, account, chat: keys.from }, { platform, account, chat: keys.to });
  const values = [to.chatId, platform, account, from.chatId] as const;
  db.run('UPDATE OR IGNORE cursors SET scope = ? WHERE platform = ? AND account = ? AND scope = ?', ...values);
  db.run(MOVE_JOBS, ...values);
  db.run('DELETE FROM dead_targets WHERE platform = ? AND account = ? AND chat = ?', platform, account, from.chatId);
  if (keys.isNewId !== true) return;
  noteMovedChat(db, ref, from.chatId, to.chatId, now);
  // Whoever speaks in the name of a chat has its id.
  db.run('UPDATE OR IGNORE people SET user_id = ? WHERE platform = ? AND account = ? AND user_id = ?', ...values);
}

/** Results go to where the chat is now. */
const MOVE_JOBS = `UPDATE jobs SET version = version + 1, definition = json_set(definition, '$.origin.chatId', ?)
  WHERE definition ->> '$.origin.platform' = ? AND definition ->> '$.origin.account' = ? AND definition ->> '$.origin.chatId' = ?`;

/** A chat moves as a whole; other threads of it keep their names. */
function moveDeliveries(db: Db, { platform, account }: AccountRef, from: ChatPlace, to: ChatPlace): void {
  const sql = 'SELECT n, body FROM deliveries WHERE platform = ? AND account = ? AND chat = ? AND over_at IS NULL';
  for (const { n, body } of db.all<{ n: number; body: string }>(sql, platform, account, from.chatId)) {
    const kept = fromJson<Pick<Delivery, 'target'>>(body, 'a delivery');
    const threadId = kept.target.threadId === from.threadId ? to.threadId : kept.target.threadId;
    const target = { platform, account, chatId: to.chatId, ...(threadId !== undefined && { threadId }) };
    db.run('UPDATE deliveries SET body = ? WHERE n = ?', JSON.stringify({ ...kept, target }), n);
  }
  mergeLines(db, 'deliveries', { platform, account, chat: from.chatId }, { platform, account, chat: to.chatId });
}
