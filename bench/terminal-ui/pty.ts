import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import { monotonic } from '../wire.ts';

export interface PtyOptions {
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}
/** A program on a terminal, with the moments at which something came of it. */
export interface Pty extends AsyncDisposable {
  readonly startedAt: number;
  /** Everything it wrote so far. */
  readonly log: string;
  /** Writes of the program, with their moments. */
  readonly chunks: readonly Chunk[];
  type(keys: string): void;
  /** The moment at which a text came, looked for from a place in the log on; 0 is its beginning. */
  seen(text: string | RegExp, from?: number): Promise<number>;
  /** Time on a processor so far, of the program and all it started, in ms: other work on the machine does not count. */
  cpuMs(): number;
  /** Memory of the program and all it started, in MB. */
  memoryMB(): number;
}
export interface Chunk {
  readonly at: number;
  readonly data: string;
}

const MAX_WAIT_MS = 60_000;

export function openPty({ command, args = [], cwd, env, columns = 80, rows = 24 }: PtyOptions): Pty {
  const startedAt = monotonic();
  const child = spawn(command, [...args], { cwd, cols: columns, rows, env: { ...env } });
  const chunks: Chunk[] = [];
  const waiting = new Set<() => void>();
  const exited = Promise.withResolvers<void>();
  let log = '';
  child.onData((data) => {
    chunks.push({ at: monotonic(), data });
    log += data;
    for (const look of waiting) look();
  });
  child.onExit(() => exited.resolve());
  const seen = async (text: string | RegExp, from = 0): Promise<number> => {
    const isThere = (): boolean => (typeof text === 'string' ? log.indexOf(text, from) >= 0 : text.test(log.slice(from)));
    const found = Promise.withResolvers<number>();
    const look = (): void => (isThere() ? found.resolve(chunks.at(-1)?.at ?? monotonic()) : undefined);
    const late = setTimeout(() => found.reject(new Error(`${String(text)} did not come:\n${log.slice(-2000)}`)), MAX_WAIT_MS);
    waiting.add(look);
    look();
    try {
      return await found.promise;
    } finally {
      clearTimeout(late);
      waiting.delete(look);
    }
  };
  return {
    startedAt,
    get log() {
      return log;
    },
    chunks,
    type: (keys) => child.write(keys),
    seen,
    cpuMs: () => cpuOf(child.pid),
    memoryMB: () => memoryOf(child.pid),
    [Symbol.asyncDispose]: async () => {
      // The launcher waits for the program and would put the terminal right: both are ended.
      for (const pid of descendants(child.pid).toReversed()) kill(pid);
      await Promise.race([exited.promise, pause(2_000)]);
    },
  };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

/** A process and all below it, as the system lists them. */
function descendants(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
    return [pid, ...children.flatMap(descendants)];
  } catch {
    return [pid];
  }
}

const memoryOf = (pid: number): number =>
  descendants(pid).reduce((total, each) => total + Number(/VmRSS:\s+(\d+)/.exec(statusOf(each))?.[1] ?? 0), 0) / 1024;

const cpuOf = (pid: number): number => descendants(pid).reduce((total, each) => total + cpuOfOne(each), 0);

function cpuOfOne(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce(
      (total, task) => total + Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
      0,
    );
  } catch {
    return 0;
  }
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
