import type { AnyCommand } from './command.ts';
import type { HostOptions } from './host.ts';

/** What a program of somebody else's adds to the command line. */
export interface CliOptions extends Pick<HostOptions, 'register'> {
  /** Commands beside ours; one with the name of one of ours takes its place. */
  readonly commands?: readonly AnyCommand[];
}
