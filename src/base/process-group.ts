import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, dirname, resolve as resolvePath } from 'node:path';

export interface GroupOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What it reads; nothing when left out. */
  readonly input?: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /**
   * Hears of the group before the program begins, and never rejects. It begins when this says yes; not when this says no, and not
   * when whoever started it dies before.
   */
  readonly hold?: (group: number) => Promise<boolean>;
  onOutput(text: string, stream: 'stdout' | 'stderr'): void;
}
export interface GroupEnd {
  /** What it ended with; a signal where it was killed. */
  readonly code: number | NodeJS.Signals | null;
  /** Why we ended it, or why it could not be started. */
  readonly why?: 'timeout' | 'stopped' | Error;
}

/** Runs a program with everything it starts as one group, all of which is killed when its time is up. Never rejects. */
export function runInGroup(line: readonly string[], options: GroupOptions): Promise<GroupEnd> {
  const { promise, resolve } = Promise.withResolvers<GroupEnd>();
  const { cwd, env, timeoutMs, signal, onOutput } = options;
  // The shell that is held would only end with 127, as a program may that was started.
  if (options.hold !== undefined && !isFound(line[0] ?? '', options))
    return Promise.resolve({ code: null, why: new Error(`${line[0]} is not installed, or not in a folder of PATH`) });
  const [program = '', ...args] = options.hold === undefined ? line : [...HELD, ...line];
  let why: GroupEnd['why'];
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const kill = (reason: 'timeout' | 'stopped'): void => {
    why ??= reason;
    killGroup(child.pid);
    // Whoever left the group may hold the pipes for ever.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const timer = setTimeout(() => kill('timeout'), timeoutMs);
  const onAbort = (): void => kill('stopped');
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted === true) onAbort();
  child.stdout.setEncoding('utf8').on('data', (text: string) => onOutput(text, 'stdout'));
  child.stderr.setEncoding('utf8').on('data', (text: string) => onOutput(text, 'stderr'));
  child.stdin.on('error', () => {});
  void giveInput(child, options);
  const finish = (end: GroupEnd): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    resolve(end);
  };
  child.on('error', (error) => finish({ code: null, why: error }));
  child.on('close', (code, ended) => {
    killGroup(child.pid);
    finish({ code: code ?? ended, ...(why !== undefined && { why }) });
  });
  return promise;
}

/** The shell becomes the program, under the same number, when it has read a line; without one it ends. */
const HELD = ['sh', '-c', 'IFS= read -r _ && exec "$@"', 'sh'] as const;

/** Whether the shell finds it: by its path, or by its name in the folders of `PATH`. */
function isFound(program: string, { cwd, env }: GroupOptions): boolean {
  const folders = program.includes('/') ? [''] : env['PATH']?.split(delimiter);
  // Without one the shell has folders of its own.
  return folders === undefined || folders.some((folder) => isExecutable(resolvePath(cwd, folder, program)));
}
function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function giveInput({ pid, stdin }: ChildProcessWithoutNullStreams, { hold, input = '' }: GroupOptions): Promise<void> {
  if (hold === undefined) stdin.end(input);
  else if (pid !== undefined && (await hold(pid))) stdin.end(`\n${input}`);
  else stdin.end();
}

/** A whole group, by the number of its first process. */
export function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left.
  }
}

/** What a program needs to find its way; nothing of it is a secret. */
const USUAL = ['HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'] as const;
export const plainEnvironment = (): Record<string, string> => ({
  ...Object.fromEntries(USUAL.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name] ?? '']]))),
  PATH: [process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin', dirname(process.execPath)].join(delimiter),
});
