import type { Delivery } from '../../../contracts/gateway-store.ts';
import type { DeliveryInput } from '../../../contracts/hook-inputs.ts';
import type { OutboxDeps } from './send-attempt.ts';

/** Tells those who look on what became of a delivery, once it is written down. */
export function tellDelivery(
  { id, target, sessionId, parts = [], attempts }: Delivery,
  state: DeliveryInput['state'],
  { tellHooks }: Pick<OutboxDeps, 'tellHooks'>,
  { why, partCount = parts.length }: { readonly why?: string; readonly partCount?: number } = {},
): void {
  const { platform, account, chatId, threadId } = target;
  tellHooks?.({
    name: 'delivery',
    input: {
      platform,
      account,
      chatId,
      ...(threadId !== undefined && { threadId }),
      deliveryId: id,
      ...(sessionId !== undefined && { sessionId }),
      state,
      ...(why !== undefined && { why }),
      partCount,
      attempts,
    },
  });
}
