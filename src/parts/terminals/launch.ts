import { spawn, type ChildProcess } from 'node:child_process';

/** A program that runs a script in some place. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  /** Ends all of what it started; absent when that is the process group on this machine. */
  end?(pid: number | undefined): Promise<void>;
}
export type Stdio = 'ignore' | 'pipe' | number;

/** Every launch leads a process group of its own, so that all of it can be ended at once. */
export const launched = ({ file, args, cwd, env }: Launch, stdio: readonly Stdio[]): ChildProcess =>
  spawn(file, [...args], { ...(cwd !== undefined && { cwd }), env: { ...env }, detached: true, stdio: [...stdio] });
