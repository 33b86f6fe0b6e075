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
  /** Writes of the program, with their moments. */
  readonly chunks: readonly Chunk[];
  type(keys: string): void;
  readonly ended: Promise<void>;
  /** The moment at which a text comes; with `fromStart` it may have come already. */
  seen(text: string | RegExp, options?: { readonly fromStart?: boolean }): Promise<number>;
  /** Time on a processor so far, of the program and all it started, in ms: other work on the machine does not count. */
  cpuMs(): number;
  /** Memory of the program and all it started, in MB. */
  memoryMB(): number;
}
export interface Chunk {
  readonly at: number;
  readonly data: string;
}

/** What a terminal says when it is asked for its background and for what it is; nobody who waits for that is kept waiting. */
const ANSWERS: readonly (readonly [query: string, answer: string])[] = [
  ['\u001b]11;?', '\u001b]11;rgb:0000/0000/0000\u001b\\'],
  ['\u001b[c', '\u001b[?62;22c'],
];
const MAX_WAIT_MS = 60_000;

export function openPty({ command, args = [], cwd, env, columns = 80, rows = 24 }: PtyOptions): Pty {
  const startedAt = monotonic();
  const child = spawn(command, [...args], { cwd, cols: columns, rows, env: { ...env } });
  const chunks: Chunk[] = [];
  const waiting = new Set<(data: string, at: number) => void>();
  const exited = Promise.withResolvers<void>();
  child.onData((data) => {
    const at = monotonic();
    chunks.push({ at, data });
    for (const look of waiting) look(data, at);
    for (const [query, answer] of ANSWERS) if (data.includes(query)) child.write(answer);
  });
  child.onExit(() => exited.resolve());
  const seen = async (text: string | RegExp, { fromStart = false } = {}): Promise<number> => {
    const found = Promise.withResolvers<number>();
    let tail = '';
    // A long log is not looked through again and again: only what is new, with the end of what was before.
    const look = (data: string, at: number): void => {
      const part = tail + data;
      if (typeof text === 'string' ? part.includes(text) : text.test(part)) found.resolve(at);
      tail = typeof text === 'string' ? part.slice(-text.length) : part;
    };
    const late = setTimeout(
      () =>
        found.reject(
          new Error(
            `${String(text)} did not come:\n${chunks
              .map(({ data }) => data)
              .join('')
              .slice(-3000)}`,
          ),
        ),
      MAX_WAIT_MS,
    );
    if (fromStart) for (const { data, at } of chunks) look(data, at);
    waiting.add(look);
    try {
      return await found.promise;
    } finally {
      clearTimeout(late);
      waiting.delete(look);
    }
  };
  return {
    startedAt,
    chunks,
    type: (keys) => child.write(keys),
    ended: exited.promise,
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
