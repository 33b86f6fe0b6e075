import type { ShellState } from './state.ts';

/** What a command finds when it runs. */
export interface ShellInput {
  /** Text from a pipe or a file, marked where it is not known; nothing when there is none. */
  readonly texts: readonly string[];
  readonly piped: boolean;
  readonly from: readonly string[];
  readonly feeds: boolean;
  readonly background: boolean;
}
export const NO_INPUT: ShellInput = { texts: [], piped: false, from: [], feeds: false, background: false };

/** What it puts out and in which states it leaves the shell: when it went well, and when it did not. */
export interface CallOutcome {
  readonly output: readonly string[];
  readonly good?: ShellState | undefined;
  readonly bad?: ShellState | undefined;
  readonly names: readonly string[];
  /** The text its redirections gave it. */
  readonly fed?: readonly string[] | undefined;
}

/** How many different outputs are told apart. */
export const MAX_OUTPUTS = 8;
