import { execFileSync, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Processes whose command line holds a word. */
export const processesWith = (word: string): number[] => processesThat((line) => line.includes(word));

/** Processes by their command line, zombies and ourselves left out. Linux tells by /proc, others by ps. */
export function processesThat(match: (commandLine: string) => boolean): number[] {
  if (process.platform !== 'linux')
    return execFileSync('ps', ['-axo', 'pid=,args='], { encoding: 'utf8' })
      .split('\n')
      .flatMap((line) => (match(line.trimEnd()) ? [Number.parseInt(line, 10)] : []));
  return readdirSync('/proc').flatMap((entry) => {
    const pid = Number(entry);
    return Number.isInteger(pid) && pid !== process.pid && match(commandLineOf(entry)) ? [pid] : [];
  });
}
function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trimEnd();
  } catch {
    return '';
  }
}

/** What a process says first; one that ends without a word is a failure and not a wait. */
export function firstWords(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
  child.once('exit', (code, signal) => reject(new Error(`it ended without a word: ${signal ?? `exit code ${code}`}`)));
  return promise;
}
