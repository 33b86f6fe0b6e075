import type { Delivery, DeliveryPart, Taken } from '../../../contracts/gateway-store.ts';
import { isEdit, toContent, toMessage } from './outgoing.ts';
import { delayOf, type SendDeps } from './send-attempt.ts';

/** What is known of a part that was begun by somebody who died. */
export type Doubt = 'absent' | 'unknown' | 'settled' | 'deferred';

/** Whether a part that was begun is there. A service that knows our keys simply gets it again. */
export async function lookUp(
  taken: Taken,
  row: Delivery,
  part: DeliveryPart | undefined,
  deps: SendDeps,
  signal: AbortSignal,
): Promise<Doubt> {
  const { kind, sender } = deps.account;
  const { idempotency, keyMs = Number.POSITIVE_INFINITY } = kind.traits;
  // To change a text twice is to change it once.
  if (part === undefined || isEdit(row, part)) return 'absent';
  const begunAt = part.begunAt ?? row.at;
  const ask = async () => sender.findSent?.(toMessage(row, part, toContent(part, deps), deps.account), begunAt, signal);
  // Some messages may have no key where all others do.
  if (idempotency === 'key' && deps.clock.now() - begunAt < keyMs) return (await ask())?.type === 'untold' ? 'unknown' : 'absent';
  const found = idempotency === 'read_back' ? await ask() : undefined;
  if (found === undefined) return 'unknown';
  if (found.type === 'absent') return 'absent';
  if (found.type === 'untold') return 'unknown';
  if (found.type === 'found') {
    await deps.store.endPart(taken, part.index, { state: 'sent', messageId: found.messageId });
    return 'settled';
  }
  await deps.store.defer(taken, { delayMs: delayOf(row), why: found.why, counts: true });
  return 'deferred';
}
