import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process that can be told from every other, also from a later one that was given its pid. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** The pid namespace: containers may share a host's name, and there a pid means another process. */
  readonly space: string;
  /** When it started; empty where that cannot be known. */
  readonly started: string;
}

let self: ProcessIdentity | undefined;
export const identifyOwnProcess = (): ProcessIdentity =>
  (self ??= { pid: process.pid, host: hostname(), space: pidSpace(), started: startOf(process.pid) ?? '' });

/** A near process, by its pid now. */
export const identifyProcess = (pid: number): ProcessIdentity => ({ ...identifyOwnProcess(), pid, started: startOf(pid) ?? '' });

/** Can this process ask whether that one lives? */
export const isNear = ({ host, space }: ProcessIdentity): boolean =>
  host === identifyOwnProcess().host && space === identifyOwnProcess().space;

const DEAD = 'dead';

/** Whether a near process still runs. */
export function isAlive({ pid, started }: Pick<ProcessIdentity, 'pid' | 'started'>): boolean {
  if (!pidExists(pid)) return false;
  const found = startOf(pid);
  if (found === DEAD) return false;
  // Without a start time to compare, a running pid has to be believed.
  return found === undefined || started === '' || found === started;
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

/** Ticks since boot, with the boot they count from. Fields are counted after the name, which may hold spaces and brackets. */
function linuxStart(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has a pid but writes no more.
  if (fields[0] === 'Z' || fields[0] === 'X') return DEAD;
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
}

function pidSpace(): string {
  try {
    return process.platform === 'linux' ? readlinkSync('/proc/self/ns/pid') : '';
  } catch {
    return '';
  }
}
