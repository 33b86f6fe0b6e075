import type { AnyCommand, CommandContext } from '../contracts/command.ts';
import type { CommandRegistry } from './registry.ts';
import { runCommand, type CommandDeps } from './run.ts';
import { readSlash, type SlashOptions } from './slash.ts';

export interface RunSlashOptions extends Omit<SlashOptions, 'registry' | 'place'> {
  readonly registry: CommandRegistry;
  readonly context: Omit<CommandContext, 'commands'>;
  readonly deps: CommandDeps;
  /** A turn of the session is running. */
  readonly busy?: boolean;
}

/** What came of a line that was typed in a session. */
export type SlashOutcome =
  /** No command: words for the model, a path, or one of the other names. */
  | { readonly type: 'text' }
  | { readonly type: 'unknown'; readonly words: string }
  | { readonly type: 'done'; readonly command: AnyCommand; readonly result: unknown }
  /** The turn that runs comes first: give the line again when it is over. */
  | { readonly type: 'queue'; readonly command: AnyCommand }
  | { readonly type: 'refused'; readonly command: AnyCommand; readonly words: string };

/** Reads a line and runs the command it names. What a person can mend comes as a `UsageError`. */
export async function runSlash(line: string, { context, deps, busy = false, ...options }: RunSlashOptions): Promise<SlashOutcome> {
  const { place } = context;
  const read = readSlash(line, { ...options, place });
  if (read.type !== 'command') return read;
  const { command, values } = read;
  if (busy && command.whileBusy === 'queue') return { type: 'queue', command };
  if (busy && command.whileBusy === 'refuse')
    return {
      type: 'refused',
      command,
      words: `${command.name} cannot be used while a turn is running; stop the turn or wait for its end.`,
    };
  const commands = () => options.registry.at(place);
  return { type: 'done', command, result: await runCommand(command, values, { ...context, commands }, deps) };
}
