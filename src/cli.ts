/** The command line for programs of others: `import { runCli } from 'hermes-ts/cli'`. Everything behind it is loaded when it runs. */
import type { AnyCommand } from './contracts/command.ts';

export type { Command, CommandContext, CommandSurface } from './contracts/command.ts';
export { defineCommand } from './contracts/services/define-command.ts';

export interface CliOptions {
  /** Commands beside ours; one with the name of one of ours takes its place. */
  readonly commands?: readonly AnyCommand[];
}

/** Runs one command line (`process.argv.slice(2)`) in this process and gives its exit code. */
export const runCli = async (argv: readonly string[], options: CliOptions = {}): Promise<number> =>
  (await import('./app/cli.ts')).run(argv, options);
