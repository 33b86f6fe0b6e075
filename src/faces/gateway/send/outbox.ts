import { toErrorMessage } from '../../../base/errors.ts';
import type { ChatTarget, Delivery, DeliveryPart, Taken, TakenRow } from '../../../contracts/gateway-store.ts';
import type { ChatType } from '../../../contracts/platform-adapter.ts';
import { isStoreError } from '../../../contracts/session-store.ts';
import { buildSessionKey } from '../addresses/session-key.ts';
import { describeAccount } from '../contract.ts';
import { cutContent } from './cut.ts';
import { expire } from './expire.ts';
import { lookUp } from './look-up.ts';
import { findEdited, marksOf, toContent, toMessage } from './outgoing.ts';
import type { OutboxDeps, SendDeps } from './send-attempt.ts';
import { settleUnsent, type PartSendResult } from './settle-unsent.ts';
import { tellDelivery } from './tell-delivery.ts';

/** How long the service may take for a send, and how long a row stays in these hands without a sign of life. */
export const LEASE_MS = 120_000;
/** A wait for room shorter than this is waited out with the row in hand. */
const SHORT_WAIT_MS = 2_000;

/**
 * Sends one delivery, part by part, and writes down before and after each what is known of it. Whatever happens in between, a
 * part that may have arrived is looked up where the service can tell, and otherwise sent again with a mark.
 */
export async function sendDelivery({ taken, row }: TakenRow<'delivery'>, deps: OutboxDeps, signal: AbortSignal): Promise<void> {
  try {
    const account = deps.findAccount(row.target);
    if (row.ageMs > row.expiresAt - row.at) return await expire(taken, row, deps);
    if (account === undefined) return await deps.store.defer(taken, { delayMs: 60_000, why: 'no such account runs here', counts: false });
    await sendParts(taken, row, { ...deps, account }, signal);
  } catch (error) {
    // Taken over by another process, which goes on with it.
    if (isStoreError(error, 'fenced')) return;
    deps.log(`${describeAccount(row.target)}: a delivery failed inside the gateway: ${toErrorMessage(error)}`);
    await deps.store.defer(taken, { delayMs: 60_000, why: toErrorMessage(error), counts: true }).catch(() => undefined);
  }
}

async function sendParts(taken: Taken, row: Delivery, deps: SendDeps, signal: AbortSignal): Promise<void> {
  const chatType = await findChatType(row.target, deps);
  const cut = row.parts === undefined ? cutContent(row.content, deps.account.kind) : undefined;
  let parts: readonly DeliveryPart[] | undefined = row.parts;
  const count = parts?.length ?? cut?.length ?? 0;
  for (let index = 0; index < count; index++) {
    const before = parts?.[index]?.state ?? 'waiting';
    if (before === 'sent' || before === 'failed') continue;
    if (!(await findRoom(taken, row, chatType, deps, signal))) return;
    // What was begun by somebody who died may be there already.
    const doubt = before === 'sending' ? await lookUp(taken, row, parts?.[index], deps, signal) : 'absent';
    if (doubt === 'settled') continue;
    if (doubt === 'deferred') return;
    if (before !== 'sending') parts = await deps.store.beginPart(taken, index, cut);
    const part = parts?.[index];
    if (part === undefined) return;
    const isRepeat = doubt === 'unknown' || (index === 0 && row.mayRepeat === true);
    const result = await sendPart(row, part, isRepeat, deps, signal);
    if (result.type !== 'sent') return await settleUnsent(taken, row, { part, isInDoubt: before === 'sending' }, result, deps);
    await deps.store.endPart(taken, index, { state: 'sent', messageId: result.messageId, ...(isRepeat && { uncertain: true }) });
  }
  tellDelivery(row, 'sent', deps, { partCount: count });
}

/** Asked only where groups have limits of their own. A chat in which nobody wrote in private counts as one: those limits are the narrower ones. */
async function findChatType(target: ChatTarget, { store, account }: SendDeps): Promise<ChatType> {
  if (!account.kind.traits.rates.some(({ scope }) => scope === 'group_chat')) return 'private';
  const isPrivate = (await store.route(buildSessionKey(target, { ...target, type: 'private' }))) !== undefined;
  return isPrivate ? 'private' : 'group';
}

/** Waits until the service may be called, or gives the row back until then. */
async function findRoom(taken: Taken, { target }: Delivery, chatType: ChatType, deps: SendDeps, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    const wait = deps.rates.take({ target, traits: deps.account.kind.traits, chatType });
    if (wait === 0) return true;
    if (wait > SHORT_WAIT_MS || signal.aborted) {
      await deps.store.defer(taken, { delayMs: wait, why: 'the service allows no call yet', counts: false });
      return false;
    }
    await deps.clock.sleep(wait, signal);
  }
}

async function sendPart(
  row: Delivery,
  part: DeliveryPart,
  isRepeat: boolean,
  deps: SendDeps,
  signal: AbortSignal,
): Promise<PartSendResult> {
  const { sender } = deps.account;
  const content = toContent(part, deps, marksOf(row, part, isRepeat));
  const { target, handle } = row;
  const edited = await findEdited(row, part, deps.store);
  if (edited === undefined && part.content.type === 'edit') return { type: 'refused', why: 'the message it changes was never sent' };
  if (edited !== undefined && sender.edit !== undefined && content.type !== 'media') {
    const result = await sender.edit({ ...target, messageId: edited, content, ...(handle !== undefined && { handle }) }, signal);
    return result.type === 'refused' && part.content.type !== 'edit' ? { type: 'preview_gone' } : result;
  }
  return sender.send(toMessage(row, part, content, deps.account), signal);
}
