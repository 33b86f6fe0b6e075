import { execFileSync, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Processes whose command line holds a word. */
export const processesWith = (word: string): number[] => processesThat((line) => line.includes(word));

/** Processes by their command line, ourselves left out. */
export const processesThat = (match: (commandLine: string) => boolean): number[] =>
  listProcesses().flatMap(({ pid, args }) => (pid !== process.pid && match(args) ? [pid] : []));

export interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  readonly args: string;
}

/** All processes but zombies. Linux tells by /proc, others by ps. */
export function listProcesses(): ListedProcess[] {
  if (process.platform !== 'linux')
    return execFileSync('ps', ['-axo', 'pid=,ppid=,args='], { encoding: 'utf8' })
      .split('\n')
      .flatMap((line) => {
        const [, pid, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line.trimEnd()) ?? [];
        return pid === undefined || args.includes('<defunct>') ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
      });
  return readdirSync('/proc').flatMap((entry) => {
    try {
      // The name before it may hold spaces and brackets.
      const [, state, parent] = /.*\) (\S) (\d+)/s.exec(readFileSync(`/proc/${entry}/stat`, 'utf8')) ?? [];
      const args = readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ').trimEnd();
      return state === 'Z' || state === undefined ? [] : [{ pid: Number(entry), parent: Number(parent), args }];
    } catch {
      return []; // Not a process, or one that has ended.
    }
  });
}

/** What a process says first; one that ends without a word is a failure and not a wait. */
export function firstWords(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
  child.once('exit', (code, signal) => reject(new Error(`it ended without a word: ${signal ?? `exit code ${code}`}`)));
  return promise;
}
