import { UsageError } from '../base/errors.ts';
import type { AnyCommand, CommandValues } from '../contracts/command.ts';

/** Refuses what only the owner does: answering the agent's questions, changing its rules or its memory, or clearing what can be undone. */
export async function refuseAgent(
  command: Pick<AnyCommand, 'name' | 'ownerOnly'>,
  values: CommandValues,
  startedByAgent: () => boolean | Promise<boolean>,
  services: object = {},
): Promise<void> {
  const act = ownersAct(command, values, services);
  if (act !== undefined && (await startedByAgent()))
    throw new UsageError(
      `${act} is only for the owner, and this was started by a command of an agent. Nothing was done; run it yourself, in a terminal of your own.`,
    );
}

/** Refuses the same to whoever else writes in a chat. */
export function refuseOthers(command: Pick<AnyCommand, 'name' | 'ownerOnly'>, values: CommandValues, services: object): void {
  const act = ownersAct(command, values, services);
  if (act !== undefined) throw new UsageError(`${act} is only for the owner. Nothing was done; ask the owner to do it.`);
}

const ownersAct = (
  { name, ownerOnly }: Pick<AnyCommand, 'name' | 'ownerOnly'>,
  values: CommandValues,
  services: object,
): string | undefined => (ownerOnly === true ? name : ownerOnly?.(values, services));
