import { spawn, type ChildProcess } from 'node:child_process';
import { COMMAND_ID_VARIABLE } from './lineage.ts';
import { endAll, endGroup } from './process-group.ts';

/** A program that runs a script in some place. */
export interface ProgramLaunch {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  /** Put into its environment; its processes are found by it on this machine, wherever they went. */
  readonly mark?: string;
  /** It only passes words on to where the command runs: after a kill, that it went well says nothing of the command. */
  readonly carrier?: true;
  /** Ends all of what it started, and tells whether that is known to be gone; absent when that is what its mark finds, or its group. */
  end?(pid: number): Promise<boolean>;
}
export type Stdio = 'ignore' | 'pipe' | number;

/** Every launch leads a process group of its own, so that all of it can be ended at once. */
export const launchProgram = (launch: ProgramLaunch, stdio: readonly Stdio[]): ChildProcess =>
  spawn(launch.file, [...launch.args], {
    ...(launch.cwd !== undefined && { cwd: launch.cwd }),
    env: createLaunchEnvironment(launch),
    detached: true,
    stdio: [...stdio],
  });

export const createLaunchEnvironment = ({ env, mark }: ProgramLaunch): Record<string, string> => ({
  ...env,
  ...(mark !== undefined && { [COMMAND_ID_VARIABLE]: mark }),
});

/** Ends all of what a launch started. What never began has nothing to end. */
export async function endLaunched({ mark, end }: ProgramLaunch, pid: number | undefined): Promise<boolean> {
  if (pid === undefined) return true;
  if (end !== undefined) return end(pid);
  return mark === undefined ? endGroup(pid) : endAll({ leader: pid, mark });
}

/** How long whoever stops a command waits to hear that all of it is gone: an interrupt must be through within 250 ms. */
const FAREWELL_MS = { timeout: 2_000, aborted: 150 } as const;

/** What an ending tells in time, else that nothing is known. */
export function waitForEnding(ending: Promise<boolean>, why: keyof typeof FAREWELL_MS): Promise<boolean> {
  const told = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => told.resolve(false), FAREWELL_MS[why]);
  ending.then(told.resolve, () => told.resolve(false)).finally(() => clearTimeout(timer));
  return told.promise;
}
