import { UsageError } from '../base/errors.ts';
import type { AnyCommand, CommandValues } from '../contracts/command.ts';

/** Refuses what only the owner does: answering the agent's questions, changing its rules or its memory, or clearing what can be undone. */
export async function refuseAgent(
  command: Pick<AnyCommand, 'name' | 'ownerOnly'>,
  values: CommandValues,
  startedByAgent: () => boolean | Promise<boolean>,
): Promise<void> {
  const { name, ownerOnly } = command;
  const act = ownerOnly === true ? name : ownerOnly?.(values);
  if (act !== undefined && (await startedByAgent()))
    throw new UsageError(
      `${act} is for the owner alone, and this was started by a command of an agent. Nothing was done; run it yourself, in a terminal of your own.`,
    );
}
