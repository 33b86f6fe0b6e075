import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { release } from 'node:os';

/** From this kernel on a table of processes has numbers of its own. Before, the file is that of the whole machine: it is left alone. */
const SINCE = [6, 14] as const;
/** The kernel gives the first 300 out only once. */
const HIGHEST = 300 + 256;

/** Whether programs behind a wall are counted by nobody but us: the kernel bounds those of other users than root. */
export const needsBoundProcesses = (): boolean => process.getuid?.() === 0 && hasOwnNumbers(release());

export function hasOwnNumbers(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split('.').map((part) => Number.parseInt(part, 10));
  return major > SINCE[0] || (major === SINCE[0] && minor >= SINCE[1]);
}

/** Leaves the programs behind a wall so many numbers, and so many programs and threads. A system that does not allow it leaves them more. */
export async function boundProcesses(nsenter: string, first: number): Promise<void> {
  const write = ['/bin/sh', '-c', `echo ${HIGHEST} > /proc/sys/kernel/pid_max`];
  const child = spawn(nsenter, ['-t', String(first), '-U', '--preserve-credentials', '-p', '--', ...write], { env: {}, stdio: 'ignore' });
  await once(child, 'close').catch(() => {});
}
