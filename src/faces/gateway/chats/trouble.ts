import { toErrorMessage } from '../../../base/errors.ts';
import type { SessionStore } from '../../../contracts/session-store.ts';
import { isReadByOwnerAlone } from '../access/read-by-owner.ts';
import { readAddress } from '../addresses/reply-address.ts';
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
