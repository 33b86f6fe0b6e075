import type { AnyCommand } from './command.ts';
import type { HostOptions } from './host.ts';
import type { TerminalExtension } from './terminal-extension.ts';

/** What a program of somebody else's adds to the command line. */
export interface CliOptions extends Pick<HostOptions, 'register'> {
  /** Commands beside ours; one with the name of one of ours takes its place. */
  readonly commands?: readonly AnyCommand[];
  /** What is added to the terminal UI, in this order. */
  readonly extensions?: readonly TerminalExtension[];
}
