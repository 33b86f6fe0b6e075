import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DetachedProcessRecord, RunOptions, RunResult, RunningProcess, StartOptions, Terminal } from '../../contracts/terminal.ts';

/** A terminal of its own for every test, standing in an empty folder whose path it tells. */
export type OpenTerminal = () => Promise<{ readonly terminal: Terminal; readonly folder: string }>;

/** What an implementation may lack; the tests that need it are skipped and say so. */
export interface TerminalFeatures {
  /** Why there is no pseudo-terminal here; absent means there is one. */
  readonly noPty?: string;
  /** Why what a command leaves behind is not there for the next one (no bash); absent means it is. */
  readonly noSnapshot?: string;
  /** How long a time-out must be for a command to have begun by then; 300 ms where starting one costs next to nothing. */
  readonly begunWithinMs?: number;
  /** Takes up a process by its trace, as a later process of ours would; absent where nothing outlives its terminal. */
  readonly adopt?: (trace: DetachedProcessRecord, options: StartOptions) => Promise<RunningProcess | undefined>;
  /** Why a promise is not tried here, by its words; nothing means it is. For back ends that share the code behind it. */
  readonly leftOut?: (promise: string) => string | undefined;
}

/** Registers promises of a back end; what it lacks or leaves out is skipped. */
export const testsOf =
  ({ leftOut }: TerminalFeatures, lacking?: string) =>
  (promise: string, tell: () => Promise<void>): void =>
    void test(promise, { skip: lacking ?? leftOut?.(promise) ?? false }, tell);

export const run = (terminal: Terminal, command: string, options: Partial<RunOptions> = {}): Promise<RunResult> =>
  terminal.run(command, { signal: new AbortController().signal, timeoutMs: 20_000, maxOutput: 50_000, ...options });

/** A terminal that is told of every command in advance: what it makes ready must be what it would have started. */
export const expectCommands = (terminal: Terminal): Terminal => ({
  ...terminal,
  get cwd() {
    return terminal.cwd;
  },
  run: async (command, options) => {
    await terminal.prepare?.();
    return terminal.run(command, options);
  },
});

/** Asks again until it is so; a state of processes is reached soon, not at once. */
export async function retryUntil(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await isSo()) return;
    await sleep(20);
  }
  assert.fail(`never came to be: ${what}`);
}
