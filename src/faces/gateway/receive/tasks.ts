import type { InboundMessage, InboundTask } from '../../../contracts/platform-adapter.ts';
import type { FindAccount } from '../accounts/account.ts';
import type { ReplyAddress, WriteLog } from '../contract.ts';
import type { TargetResult } from '../addresses/targets.ts';

export interface TaskDeps {
  readonly findTarget: (wanted: string) => Promise<TargetResult>;
  readonly findAccount: FindAccount;
  readonly log: WriteLog;
}

/** Where the result of a task goes. One that leads nowhere is told, and its result goes where it came from: it is never lost. */
export async function addressTask(
  { label, deliver }: InboundTask,
  { messageId }: InboundMessage,
  own: ReplyAddress,
  { findTarget, findAccount, log }: TaskDeps,
): Promise<ReplyAddress> {
  const { messageId: _shown, ...address } = own;
  const found = deliver === undefined ? undefined : await findTarget(deliver);
  if (found?.ok === false) log(`${label}: its result cannot be delivered to ${deliver}, and is written here instead: ${found.why}`);
  const target = found?.ok === true ? found.chat.target : own.target;
  // A program finds out by the id what is answered; people read it.
  const isForProgram = findAccount(target)?.kind.traits.isMachine === true;
  return { ...address, target, unasked: true, ...(isForProgram ? { messageId } : { label }) };
}
