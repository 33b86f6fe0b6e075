import type { AccountRef, Arrival, GatewayStore } from '../../contracts/gateway-store.ts';
import type { RunningAccount } from './contract.ts';
import type { KeptEvent } from './intake.ts';
import { decideStranger, describeOffer, offerCode, PAIRED_WORDS, redeemCode, type PairingStore } from './pairing.ts';

/** Whether the words of a stranger were a code of the owner's; then they are told that they may speak. */
export async function redeemStrangersCode(
  store: PairingStore & Pick<GatewayStore, 'plan'>,
  { platform, account }: AccountRef,
  event: KeptEvent,
): Promise<boolean> {
  if (event.type !== 'message') return false;
  const { id: userId, name } = event.sender;
  if ((await redeemCode(store, { platform, userId, ...(name !== undefined && { name }) }, event.text)) !== 'paired') return false;
  const { chatId, threadId } = event.chat;
  await store.plan([
    {
      key: `paired:${platform}:${account}:${event.key}`,
      target: { platform, account, chatId, ...(threadId !== undefined && { threadId }) },
      content: { type: 'text', markdown: PAIRED_WORDS },
    },
  ]);
  return true;
}

/** What somebody who may not speak is told: a code for the owner to approve, or nothing. */
export async function offerStranger(store: PairingStore, { ref, config }: RunningAccount, { event }: Arrival): Promise<string | undefined> {
  const { platform } = ref;
  if (event.type !== 'stranger' || decideStranger(event.chat, { by: 'default' }, config.access) !== 'pair') return undefined;
  const offered = await offerCode(store, { platform, userId: event.senderId });
  return offered.type === 'offered' ? describeOffer(platform, offered.code) : undefined;
}
