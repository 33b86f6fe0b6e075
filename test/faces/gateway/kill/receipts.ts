import type { GatewayStore } from '../../../../src/contracts/gateway-store.ts';
import type { ChatStage } from '../stages/contract.ts';

/**
 * Every message that says it may be a repeat has the receipt `uncertain`, and no other has. One that was cut off itself has no
 * receipt at all: the one that was sent in its place has.
 */
export async function judgeReceipts(stage: ChatStage, store: Pick<GatewayStore, 'deliveries'>): Promise<string[]> {
  const rows = await store.deliveries({ platform: stage.platform });
  const places = new Map(
    rows.flatMap(({ target, parts = [] }) =>
      parts.map((part) => [`${target.account} ${target.chatId} ${part.messageId ?? ''}`, part.uncertain === true] as const),
    ),
  );
  return [...stage.chats, ...stage.strangers].flatMap((chat) =>
    stage.ours(chat).flatMap(({ id, text }) => {
      const isUncertain = places.get(`${chat.account} ${chat.chatId} ${id}`);
      const isMarked = text.includes('may be a repeat');
      if (isUncertain === undefined || isUncertain === isMarked) return [];
      return [
        `message ${id} ${isMarked ? 'may be a repeat, and its receipt does not say so' : 'has the receipt of a possible repeat, and is not marked'}`,
      ];
    }),
  );
}
