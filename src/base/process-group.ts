import { spawn } from 'node:child_process';
import { delimiter, dirname } from 'node:path';

export interface GroupOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What it reads; nothing when left out. */
  readonly input?: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  onOutput(text: string, stream: 'stdout' | 'stderr'): void;
}
export interface GroupEnd {
  /** What it ended with; a signal where it was killed. */
  readonly code: number | NodeJS.Signals | null;
  /** Why we ended it, or why it could not be started. */
  readonly why?: 'timeout' | 'stopped' | Error;
}

/** Runs a program with everything it starts as one group, all of which is killed when its time is up. Never rejects. */
export function runInGroup([program = '', ...args]: readonly string[], options: GroupOptions): Promise<GroupEnd> {
  const { promise, resolve } = Promise.withResolvers<GroupEnd>();
  const { cwd, env, input = '', timeoutMs, signal, onOutput } = options;
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
  child.stdin.end(input);
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

function killGroup(pid: number | undefined): void {
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
