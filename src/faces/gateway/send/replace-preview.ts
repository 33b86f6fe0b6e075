import { systemClock, type Clock } from '../../../base/clock.ts';
import type { GatewayStore, NewDelivery } from '../../../contracts/gateway-store.ts';
import type { SettledAnswer } from '../../../contracts/host.ts';
import type { RunningAccount } from '../accounts/account.ts';
import { placeOf, type ReplyAddress } from '../contract.ts';
import { MAX_PREVIEW_CALL_MS, PREVIEW, readPreviewFact, type PreviewFact } from './preview-fact.ts';

export interface ReplacePreviewDeps {
  readonly store: Pick<GatewayStore, 'remember' | 'route'>;
  readonly account: RunningAccount;
  readonly clock?: Pick<Clock, 'now'>;
}

/** How an answer takes the place of what was shown of it, also when another process showed it. */
export async function replacePreview(
  { store, account, clock = systemClock }: ReplacePreviewDeps,
  address: ReplyAddress,
  answer: Pick<SettledAnswer, 'turnId' | 'key'>,
): Promise<Pick<NewDelivery, 'replaces' | 'mayRepeat'>> {
  const fact = readPreviewFact((await store.route(address.routeKey))?.facts[PREVIEW]);
  if (fact?.turnId !== answer.turnId || (fact.usedBy ?? answer.key) !== answer.key) return {};
  await store.remember(address.routeKey, { [PREVIEW]: { ...fact, usedBy: answer.key } });
  return fact.messageId !== undefined ? { replaces: fact.messageId } : findLostPreview(account, address, fact, clock.now());
}

/** A preview whose answer never came may be there all the same. */
async function findLostPreview(
  { kind, sender }: RunningAccount,
  { target }: ReplyAddress,
  { key, at = 0 }: PreviewFact,
  now: number,
): Promise<Pick<NewDelivery, 'replaces' | 'mayRepeat'>> {
  const again = { ...placeOf(target), content: { type: 'text', markdown: '…' }, key } as const;
  const signal = AbortSignal.timeout(MAX_PREVIEW_CALL_MS);
  const { idempotency, keyMs = Number.POSITIVE_INFINITY } = kind.traits;
  // A key that the service has forgotten would only make another message.
  if (idempotency === 'none' || (idempotency === 'key' && now - at >= keyMs)) return { mayRepeat: true };
  if (idempotency === 'key') {
    const sent = await sender.send(again, signal);
    return sent.type === 'sent' ? { replaces: sent.messageId } : { mayRepeat: true };
  }
  const found = await sender.findSent?.(again, 0, signal);
  return found?.type === 'found' ? { replaces: found.messageId } : found?.type === 'absent' ? {} : { mayRepeat: true };
}
