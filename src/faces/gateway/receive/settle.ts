import type { Arrival, GatewayStore, NewDelivery, Taken } from '../../../contracts/gateway-store.ts';
import type { ButtonPress, InboundMessage } from '../../../contracts/platform-adapter.ts';
import type { RunningAccount } from '../accounts/account.ts';
import { placeOf, type ReplyAddress, type SpeakerRole } from '../contract.ts';

export interface SettleDeps {
  readonly store: { readonly gateway: Pick<GatewayStore, 'settle'> };
}

/** An arrival that becomes no message, and what its chat is told of it. */
export const settle = (
  taken: Taken,
  { store }: SettleDeps,
  state: 'refused' | 'command' | 'merged' | 'expired',
  why?: string,
  deliveries: readonly NewDelivery[] = [],
): Promise<void> => store.gateway.settle(taken, { state, ...(why !== undefined && { why }), ...(deliveries.length > 0 && { deliveries }) });

/** Somebody talked to others. An album is over as a whole. */
export const passOver = (taken: Taken, { store }: SettleDeps, album: readonly string[]): Promise<void> =>
  store.gateway.settle(taken, { state: 'refused', why: 'it was not meant for us', ...(album.length > 0 && { with: album }) });

/** What is said to one arrival, once however often it is handled. */
export const reply = (
  row: Arrival,
  { target, messageId, handle }: Pick<ReplyAddress, 'target' | 'messageId' | 'handle'>,
  markdown: string,
): NewDelivery => ({
  key: `reply:${row.id}`,
  target,
  content: { type: 'text', markdown },
  ...(messageId !== undefined && { replyTo: messageId }),
  ...(handle !== undefined && { handle }),
});

/** Where an answer to it goes. */
export function addressOf(
  row: Arrival,
  { ref, config }: RunningAccount,
  event: InboundMessage | ButtonPress,
  role: SpeakerRole,
): ReplyAddress {
  const points = event.type === 'message' && config.display.replyTo !== 'off';
  return {
    routeKey: row.serialKey,
    target: { ...ref, ...placeOf(event.chat) },
    senderId: event.sender.id,
    role,
    ...(points && { messageId: event.messageId }),
    ...(event.handle !== undefined && { handle: event.handle }),
    // A program knows when it said something, and reads no words about it.
    ...(event.type === 'message' && event.task === undefined && { sentAt: event.sentAt }),
  };
}

/** It broke the gateway every time it was handled. */
export async function giveUp(taken: Taken, row: Arrival, deps: SettleDeps): Promise<void> {
  const { event } = row;
  if (event.type !== 'message') return settle(taken, deps, 'expired', 'it could not be handled');
  const words = 'I could not read this message: something went wrong every time I tried. Please send it again in another form.';
  const { platform, account } = row;
  return settle(taken, deps, 'expired', 'it could not be handled', [
    reply(row, { target: { platform, account, ...placeOf(event.chat) }, messageId: event.messageId }, words),
  ]);
}
