import { UsageError } from '../base/errors.ts';
import type { CommandContext, CommandFollowUp } from '../contracts/command.ts';
import type { CompletedCommand, CommandLineOptions, CommandLineResult } from '../contracts/host.ts';
import { createCommandRegistry, type CommandRegistry } from './registry.ts';
import { runCommand, type CommandDeps } from './run.ts';
import { nameCommandsAsSlash } from './slash-words.ts';
import { readSlash, type SlashOptions } from './slash.ts';

export interface RunSlashOptions extends Omit<SlashOptions, 'registry'>, Pick<CommandLineOptions, 'busy' | 'context' | 'offers'> {
  readonly registry: CommandRegistry;
  readonly deps: CommandDeps;
  /** Begins the session where there is none yet, and gives its id. */
  readonly begin?: (() => Promise<string>) | undefined;
  /** The model of the next turn, where a session is open. */
  readonly nextModel?: () => CommandContext['nextModel'];
  /** The folder it is given in unless the face names another. */
  readonly cwd: string;
}

/** Reads a line and runs the command it names. What a person can mend comes as a `UsageError`. */
export async function runSlash(
  line: string,
  options: RunSlashOptions,
): Promise<Exclude<CommandLineResult, CompletedCommand> | Omit<CompletedCommand, 'notices'>> {
  const { deps, busy = false, place, registry } = options;
  const read = readSlash(line, { ...options, canBegin: options.begin !== undefined });
  if (read.type === 'text') return read;
  if (read.type === 'unknown') return { type: 'unknown', words: describeUnknown(line, read.words, options) };
  const { command, called, begins } = read;
  if (command.needsScreen === true && options.exact === true)
    throw new UsageError(`/${called} works only in the terminal UI; start it with hermes.`);
  if (busy && command.whileBusy === 'queue') return { type: 'queue', command };
  if (busy && command.whileBusy === 'refuse') {
    const words = `/${called} cannot be used while a turn is running; stop the turn or wait for its end.`;
    return { type: 'refused', command, words };
  }
  const values = begins === undefined || options.begin === undefined ? read.values : { ...read.values, [begins]: await options.begin() };
  let followUp: CommandFollowUp | undefined;
  const offered = () => registry.at(place).filter((one) => options.offers?.(one) ?? true);
  const nextModel = options.nextModel?.();
  const context: CommandContext = {
    cwd: options.cwd,
    now: Date.now(),
    signal: NEVER,
    report: () => {},
    ...(await options.context?.(command)),
    place,
    busy,
    ...(nextModel !== undefined && { nextModel }),
    ...(deps.by !== undefined && { by: deps.by }),
    commands: offered,
    followUp: (step) => void (followUp = step),
  };
  const run = () => runCommand(command, values, context, deps);
  // A line of a script was typed in a shell.
  const result = options.exact === true ? await run() : await nameCommandsAsSlash(run, offered);
  const text = command.describe === undefined ? asJson(result) : command.describe(result, options.exact === true ? 'shell' : place);
  return { type: 'done', command, result, text, ...(followUp !== undefined && { followUp }) };
}
/** Names that are near, but only of what the person is told of. */
function describeUnknown(line: string, words: string, { registry, place, offers }: RunSlashOptions): string {
  if (offers === undefined) return words;
  const read = readSlash(line, { registry: createCommandRegistry(registry.at(place).filter(offers)), place });
  return read.type === 'unknown' ? read.words : words;
}
const NEVER = new AbortController().signal;
const asJson = (result: unknown): string => (typeof result === 'string' ? result : (JSON.stringify(result, undefined, 2) ?? ''));
