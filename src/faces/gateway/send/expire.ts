import type { Delivery, GatewayStore, Taken } from '../../../contracts/gateway-store.ts';
import { nameTarget } from '../addresses/targets.ts';
import { describeAccount } from '../contract.ts';
import type { OutboxDeps } from './send-attempt.ts';
import { failQuestion } from './settle-unsent.ts';
import { tellDelivery } from './tell-delivery.ts';
import { noteUndelivered } from './unsent-files.ts';

const WHY = 'it could not be delivered in time';
const NOTICE = 'Some of what I wrote here could not be delivered in time and was dropped. Ask me again if you still need it.';

/** Says so everywhere before it is over: in the log, to the model with the next message, to the chat, and to whoever waits for an answer to it. */
export async function expire(taken: Taken, row: Delivery, deps: OutboxDeps): Promise<void> {
  const { store, log } = deps;
  log(
    `${describeAccount(row.target)}: something for ${row.target.chatId} was dropped: ${WHY}${row.why === undefined ? '' : ` (${row.why})`}`,
  );
  if (!isNotice(row)) {
    await noteUndelivered(store, row, WHY);
    await tellChat(row, deps);
  }
  failQuestion(row, WHY, deps);
  await store.finish(taken, 'expired', WHY);
  tellDelivery(row, 'expired', deps, { why: WHY });
}

const PREFIX = 'expired:';
/** One that expires as well is only in the log: nobody would hear of it either. */
const isNotice = ({ key }: Delivery): boolean => key.startsWith(PREFIX);
const DAY_MS = 86_400_000;

/** Once for all that a chat misses in a day. A program reads no words about it, and a change of an earlier message is no message. */
async function tellChat({ target, content, expiresAt }: Delivery, { store, findAccount }: TellChatDeps): Promise<void> {
  const account = findAccount(target);
  if (account === undefined || account.kind.traits.isMachine === true || content.type === 'edit') return;
  const key = `${PREFIX}${nameTarget(target)}:${Math.floor(expiresAt / DAY_MS)}`;
  await store.plan([{ key, target, content: { type: 'text', markdown: NOTICE } }]);
}
interface TellChatDeps extends Pick<OutboxDeps, 'findAccount'> {
  readonly store: Pick<GatewayStore, 'plan'>;
}
