import type { Delivery, DeliveryPart, Taken } from '../../../contracts/gateway-store.ts';
import type { SendResult } from '../../../contracts/platform-adapter.ts';
import { describeAccount } from '../contract.ts';
import { tellRefused } from './refusals.ts';
import { delayOf, type SendDeps } from './send-attempt.ts';
import { tellDelivery } from './tell-delivery.ts';
import { noteUndelivered } from './unsent-files.ts';

/** What a part was to take the place of is gone, which only shows when it is tried. */
export type PartSendResult = SendResult | { readonly type: 'preview_gone' };

export interface UnsentPart {
  readonly part: DeliveryPart;
  /** An attempt before this one may have arrived. */
  readonly isInDoubt: boolean;
}

/** Writes down what becomes of a delivery of which a part did not arrive, or may not have. */
export async function settleUnsent(
  taken: Taken,
  row: Delivery,
  { part, isInDoubt }: UnsentPart,
  result: Exclude<PartSendResult, { type: 'sent' }>,
  deps: SendDeps,
): Promise<void> {
  const { store, rates, log } = deps;
  const defer = (why: string): Promise<void> => store.defer(taken, { delayMs: delayOf(row), why, counts: true });
  // This attempt was surely in vain; one before it may not have been.
  const putBack = async (): Promise<void> => (isInDoubt ? undefined : store.endPart(taken, part.index, { state: 'waiting' }));
  switch (result.type) {
    case 'limited':
      rates.block(row.target, result.retryAfterMs, result.scope);
      await putBack();
      return store.defer(taken, { delayMs: result.retryAfterMs, why: 'the service asked to wait', counts: false });
    case 'not_sent':
      await putBack();
      return defer(result.why);
    case 'window_closed':
      log(`${describeAccount(row.target)}: an answer waits until somebody writes in ${row.target.chatId} again: ${result.why}`);
      await putBack();
      return store.defer(taken, { delayMs: row.expiresAt - row.at - row.ageMs + 1, why: result.why, counts: false, orHeard: true });
    case 'unknown':
      return defer(result.why);
    case 'preview_gone':
      return planAgain(taken, row, deps);
    case 'moved':
      await putBack();
      await deps.move(row.target, result.to, result.isNewId === true);
      return defer('the chat has another id now');
    case 'dead':
      log(`${describeAccount(row.target)}: nobody can be reached in ${row.target.chatId}: ${result.why}`);
      await store.markDead(row.target, result.why);
      failQuestion(row, result.why, deps);
      await noteUndelivered(store, row, result.why);
      await store.finish(taken, 'dead', result.why);
      return tellDelivery(row, 'dead', deps, result);
    case 'refused':
      log(`${describeAccount(row.target)}: a message was refused: ${result.why}`);
      // Told first: whoever dies in between tells it again, under the same key. A program knows what it refused.
      if (deps.account.kind.traits.isMachine !== true) await tellRefused(store, row, part, result.why);
      failQuestion(row, result.why, deps);
      await store.endPart(taken, part.index, { state: 'failed', why: result.why });
      await store.finish(taken, 'failed', result.why);
      return tellDelivery(row, 'failed', deps, result);
  }
}

/** Whoever asked it waits no longer. */
export function failQuestion({ content }: Delivery, why: string, { questions }: Pick<SendDeps, 'questions'>): void {
  if (content.type === 'card') questions.fail(content.questionId, why);
}

/** Sent as a delivery of its own, of which it can be known whether it arrived. */
async function planAgain(taken: Taken, row: Delivery, { store }: SendDeps): Promise<void> {
  const { target, content, replyTo, handle, sessionId, turnId } = row;
  const again = { target, content, ...(replyTo !== undefined && { replyTo }), ...(handle !== undefined && { handle }) };
  const owner = { ...(sessionId !== undefined && { sessionId }), ...(turnId !== undefined && { turnId }) };
  await store.plan([{ key: `${row.key}:again`, ...again, ...owner }]);
  await store.finish(taken, 'withdrawn', 'what it was to replace is gone; it was planned again');
}
