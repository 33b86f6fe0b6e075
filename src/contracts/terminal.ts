import type { Files } from './files.ts';

/** A place where commands run and files lie: this machine, a container, a host far away. */
export interface TerminalBackend {
  readonly kind: string;
  open(options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> }): Promise<Terminal>;
}
export interface Terminal extends AsyncDisposable {
  readonly kind: string;
  readonly cwd: string;
  /** The files commands see there. */
  readonly files: Files;
  /** Runs a shell command to its end. The signal and the time-out end the whole process group. Never throws for a failing command. */
  run(command: string, options: RunOptions): Promise<RunResult>;
  /** Starts a command that outlives the call. */
  start(command: string, options: StartOptions): Promise<Running>;
}
export interface RunOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly cwd?: string;
  readonly stdin?: string;
  readonly pty?: boolean;
  /** Most characters kept of the output, half from its head and half from its tail. */
  readonly maxOutput: number;
  /** A file for the whole output, written only when it is longer than `maxOutput`; the gap in the middle then names it. */
  readonly keepAll?: string;
  onOutput?(chunk: string): void;
}
export interface RunResult {
  /** `null` when it was ended from outside. */
  readonly exitCode: number | null;
  readonly ended: 'exited' | 'timeout' | 'aborted' | 'failed_to_start';
  readonly output: string;
  /** Characters left out of the middle. */
  readonly omitted: number;
  /** Where the shell stood at the end, for the next command. */
  readonly cwd: string;
  /** The folder it should have run in is gone: it ran in this one, the nearest above that is there. */
  readonly movedTo?: string;
}
export interface StartOptions {
  readonly cwd?: string;
  readonly pty?: boolean;
  readonly maxOutput: number;
  /** A file for the whole output, written only when it is longer than `maxOutput`; the gap in the middle then names it. */
  readonly keepAll?: string;
}
export interface Running {
  readonly pid: number;
  readonly command: string;
  readonly startedAt: number;
  status(): { readonly state: 'running' | 'exited'; readonly exitCode?: number };
  output(): string;
  write(data: string): void;
  /** Closes its standard input. */
  end(): void;
  kill(): Promise<void>;
  readonly exited: Promise<number>;
}
