import type { AccountRef, Delivery } from '../../../../contracts/gateway-store.ts';
import type { ChatPlace } from '../../../../contracts/platform-adapter.ts';
import type { Db } from '../database/db.ts';
import { fromJson } from '../database/json.ts';
import { mergeLines } from './line.ts';
import { moveRoute } from './routes.ts';

export interface ChatMoveStep {
  readonly account: AccountRef;
  readonly from: ChatPlace;
  readonly to: ChatPlace;
  readonly keys: { readonly from: string; readonly to: string };
}

/** All that goes by the id of a chat goes by its new one. */
export function moveChat(db: Db, { account: ref, from, to, keys }: ChatMoveStep): void {
  const { platform, account } = ref;
  moveRoute(db, keys, ({ chat }) => {
    const { threadId: _, ...rest } = chat;
    return { target: { platform, account, ...to }, chat: { ...rest, ...to } };
  });
  moveDeliveries(db, ref, from, to);
  mergeLines(db, 'arrivals', { platform, account, chat: keys.from }, { platform, account, chat: keys.to });
  const values = [to.chatId, platform, account, from.chatId] as const;
  db.run('UPDATE OR IGNORE cursors SET scope = ? WHERE platform = ? AND account = ? AND scope = ?', ...values);
  db.run('DELETE FROM dead_targets WHERE platform = ? AND account = ? AND chat = ?', platform, account, from.chatId);
  db.run('UPDATE OR IGNORE people SET user_id = ? WHERE platform = ? AND user_id = ?', to.chatId, platform, from.chatId);
}

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
