/** The command line for programs of others: `import { runCli } from 'hermes/cli'`. Everything behind it is loaded when it runs. */
import type { AnyCommand } from './contracts/services/command.ts';

export { defineCommand, type Command, type CommandContext, type CommandSurface } from './contracts/services/command.ts';

export interface CliOptions {
  /** Commands beside ours; one with the name of one of ours takes its place. */
  readonly commands?: readonly AnyCommand[];
}

/** Runs one command line (`process.argv.slice(2)`) in this process and gives its exit code. */
export const runCli = async (argv: readonly string[], options: CliOptions = {}): Promise<number> =>
  (await import('./app/cli.ts')).run(argv, options);
