import type { ChatTarget, GatewayStore } from '../../../contracts/gateway-store.ts';
import type { ChatPlace } from '../../../contracts/platform-adapter.ts';
import { findChatRoutes } from '../addresses/find-routes.ts';
import { buildSessionKey } from '../addresses/session-key.ts';

/** A chat goes on at another place, with all its threads. */
export const createMove =
  (store: GatewayStore) =>
  async (from: ChatTarget, to: ChatPlace, isNewId: boolean): Promise<void> => {
    const known = await findChatRoutes(store, from);
    // Nobody wrote from there yet, as with a home channel: what is to go out moves all the same.
    const places =
      known.length > 0
        ? known
        : [{ key: buildSessionKey(from, { ...from, type: 'group' }), target: from, chat: { type: 'group' as const } }];
    for (const { key, chat, target } of places) {
      const { threadId } = target;
      const place = { chatId: to.chatId, ...(threadId !== undefined && { threadId }) };
      await store.moveChat(from, target, place, { from: key, to: buildSessionKey(from, { ...place, type: chat.type }), isNewId });
    }
  };
