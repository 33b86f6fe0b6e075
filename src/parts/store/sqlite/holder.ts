import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Who holds a claim. The start time tells a process from a later one that was given the same pid. */
export interface Holder {
  readonly host: string;
  readonly pid: number;
  readonly started: string;
}

let self: Holder | undefined;

export const thisProcess = (): Holder => (self ??= { host: hostname(), pid: process.pid, started: startOf(process.pid) ?? '' });

/** Whether the holder, known to be on this host, still runs. */
export function isAlive(holder: Holder): boolean {
  if (!pidExists(holder.pid)) return false;
  const started = startOf(holder.pid);
  // Without a start time to compare, a running pid has to be believed.
  return started === undefined || holder.started === '' || started === holder.started;
}

function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, under another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function startOf(pid: number): string | undefined {
  try {
    return process.platform === 'linux' ? linuxStart(pid) : otherStart(pid);
  } catch {
    return undefined;
  }
}

/** Not imported above: Linux, where start-up is measured, has no use for it. */
const otherStart = (pid: number): string =>
  process
    .getBuiltinModule('node:child_process')
    .execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
    .trim();

/** Ticks since boot, with the boot they count from: after a restart of the machine the same figure means another process. */
function linuxStart(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The command name stands in brackets and may itself hold spaces and brackets: fields are counted after the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has a pid but can write no more.
  if (fields[0] === 'Z' || fields[0] === 'X') return 'dead';
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${boot}/${fields[19]}`;
}
