import { UsageError } from '../base/errors.ts';
import type { AnyCommand, CommandContext, CommandValues } from '../contracts/command.ts';
import type { ServiceOpeners } from '../contracts/services/services.ts';
import { refuseAgent, refuseOthers } from './agent-forbidden.ts';

/** What a runner stands on. */
export interface CommandDeps {
  readonly services: Partial<ServiceOpeners>;
  /** Whether this process was started by a command of an agent; asked only where it matters. */
  readonly startedByAgent: () => boolean | Promise<boolean>;
  /** Whether a person can have typed the line; absent where that is known. */
  readonly hasTerminal?: () => boolean | Promise<boolean>;
  /** Whether a setting is on; asked only for commands that hang on one. */
  readonly isOn: (setting: string) => Promise<boolean>;
  /** Who typed it; the owner when left out. */
  readonly by?: 'owner' | 'other';
  /** Told of a command that nothing stands against any more, before it runs. */
  readonly starts?: (command: AnyCommand) => void;
}

/** Runs one command with parsed values: refused where it may not run, else with exactly the services it needs. */
export async function runCommand(
  command: AnyCommand,
  values: CommandValues,
  context: CommandContext,
  { services, startedByAgent, hasTerminal, isOn, by = 'owner', starts }: CommandDeps,
): Promise<unknown> {
  // Whose it is may hang on what is set; what is never for an agent opens nothing.
  const known = typeof command.ownerOnly === 'function' ? await openNeeds(command, services) : undefined;
  await refuseAgent(command, values, startedByAgent, known);
  if (command.needsTerminal === true && hasTerminal !== undefined && !(await hasTerminal()))
    throw new UsageError(
      `${command.name} needs a terminal, so that it was you who typed it; this was started without one. Nothing was done. Run it in a terminal (over ssh: ssh -t, in a container: -it).`,
    );
  if (by === 'other') refuseOthers(command, values, known ?? {});
  if (command.gate !== undefined && !(await isOn(command.gate)))
    throw new UsageError(`${command.name} is switched off; hermes config set ${command.gate} true switches it on.`);
  if (command.run === undefined) throw new UsageError(`${command.name} cannot be run here: it needs a command line of its own.`);
  const opened = known ?? (await openNeeds(command, services));
  await askBeforeRemoving(command, values, opened, context);
  starts?.(command);
  return command.run(values, opened, context);
}

/** Gone is gone, so a person is asked and a script has to say it. */
async function askBeforeRemoving(command: AnyCommand, values: CommandValues, opened: object, { confirm }: CommandContext): Promise<void> {
  if (command.destructive === undefined || values['yes'] === true) return;
  const what = await command.destructive(values, opened);
  if (confirm === undefined) throw new UsageError(`this removes ${what} for good; add --yes to do it.`);
  if (!(await confirm(`Remove ${what} for good?`))) throw new UsageError('nothing was removed.');
}

type Openers = Readonly<Partial<Record<string, () => Promise<unknown>>>>;

/** What the command needs, which is all it may touch. */
async function openNeeds(command: AnyCommand, openers: Openers): Promise<object> {
  const rows = [];
  for (const name of command.needs ?? []) rows.push([name, await openerOf(name, openers, command)()] as const);
  return Object.fromEntries(rows);
}

function openerOf(name: string, openers: Openers, command: AnyCommand): () => Promise<unknown> {
  const open = openers[name];
  if (open === undefined) throw new UsageError(`${command.name} cannot be run here: there is no ${name} to work with.`);
  return open;
}
