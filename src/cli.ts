/** The command line for programs of others: `import { runCli } from 'hermes-ts/cli'`. Everything behind it is loaded when it runs. */
import type { CliOptions } from './contracts/cli-options.ts';

export type { CliOptions } from './contracts/cli-options.ts';
export type { Command, CommandContext, CommandSurface } from './contracts/command.ts';
export type {
  ExtensionKey,
  LayoutSlot,
  StyleRule,
  TerminalExtension,
  TerminalHandle,
  TerminalSessionView,
  TerminalSlot,
  TerminalWidget,
} from './contracts/terminal-extension.ts';
export { TERMINAL_SLOTS } from './contracts/terminal-extension.ts';
export { defineCommand } from './contracts/services/define-command.ts';

/**
 * Runs one command line (`process.argv.slice(2)`) in this process and gives its exit code. `register` is called for each set of
 * registries that is made: that of the commands, and that of a host where one is opened.
 */
export const runCli = async (argv: readonly string[], options: CliOptions = {}): Promise<number> =>
  (await import('./app/cli.ts')).run(argv, options);
