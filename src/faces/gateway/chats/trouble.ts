import { toErrorMessage } from '../../../base/errors.ts';
import type { SessionStore } from '../../../contracts/session-store.ts';
import { isReadByOwnerAlone } from '../access/read-by-owner.ts';
import { readAddress } from '../addresses/reply-address.ts';
import type { Outcome } from '../../../contracts/outcome.ts';
import type { WriteLog } from '../contract.ts';

interface TroubleDeps {
  readonly store: SessionStore;
  readonly log: WriteLog;
}

/** A session that cannot be opened or gone on with: whoever waits for it is told once, and it is tried again. */
export async function tellTrouble(sessionId: string, error: unknown, { store, log }: TroubleDeps): Promise<void> {
  log(`session ${sessionId} could not go on: ${toErrorMessage(error)}`);
  const turn = await store.turn(sessionId);
  const [item] = turn === undefined ? await store.waiting(sessionId) : [];
  const address = readAddress(turn?.replyTo ?? item?.replyTo);
  if (address === undefined) return;
  // What is wrong is the owner's business alone.
  const why = isReadByOwnerAlone(address) ? `: ${toErrorMessage(error)}` : '.';
  const markdown = `I cannot work on your message right now${why}\n\nIt is kept, and I try again every minute.`;
  await store.gateway.plan([
    { key: `trouble:${turn?.turnId ?? item?.id}`, target: address.target, content: { type: 'text', markdown }, sessionId },
  ]);
}

/** A provider is down: its chat is told once for the message that waits first, and hears of the others when they are answered. */
export async function tellOutage(sessionId: string, { text }: Pick<Outcome, 'text'>, { store, log }: TroubleDeps): Promise<void> {
  const turn = await store.turn(sessionId);
  const address = readAddress(turn?.replyTo);
  if (turn === undefined || address === undefined || address.unasked === true) return;
  log(`session ${sessionId} waits for its provider: ${text}`);
  const why = isReadByOwnerAlone(address) ? `\n\n${text}` : '';
  const markdown = `The model cannot be reached right now. Your message is kept, and I try again until it works. /stop drops it.${why}`;
  const target = address.target;
  await store.gateway.plan([{ key: `outage:${turn.turnId}`, target, content: { type: 'text', markdown }, sessionId }]);
}
