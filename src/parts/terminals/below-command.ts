import { closeSync, openSync, readFileSync } from 'node:fs';
import { hasLoweredLimit } from './process/limit-mark.ts';
import { COMMAND_ID_VARIABLE } from './process/lineage.ts';

/** More parents than any shell within a shell has. */
const DEEPEST = 100;

/**
 * Whether this process was started by a command of an agent: it, one of its parents or the leader of its session has a mark
 * every command gets. The variable can be taken out; the lowered limit stays even with a process that has left its group, its
 * parents and its variables. Where the system tells of neither, the variables of the process itself count.
 */
export function isBelowCommand(env: Readonly<Record<string, string | undefined>> = process.env, pid: number = process.pid): boolean {
  if ((env[COMMAND_ID_VARIABLE] ?? '') !== '' || isMarked(readStat(pid).session)) return true;
  for (let [at, depth] = [pid, 0]; at > 1 && depth < DEEPEST; at = readStat(at).parent, depth++) if (isMarked(at)) return true;
  return false;
}

/** Whether somebody can have typed what started this process: it has a terminal, whatever its streams are. */
export function hasTerminal(pid: number = process.pid): boolean {
  const { terminal } = readStat(pid);
  return terminal ?? canOpenTerminal();
}

function canOpenTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

/** By what it was started with; that of other users cannot be read, and they run nothing for us. */
const isMarked = (pid: number): boolean =>
  pid > 1 &&
  (hasLoweredLimit(pid) ||
    procFile(pid, 'environ')
      .split('\0')
      .some((variable) => variable.startsWith(`${COMMAND_ID_VARIABLE}=`) && variable.length > COMMAND_ID_VARIABLE.length + 1));

interface ProcessStat {
  readonly parent: number;
  readonly session: number;
  /** Absent where the system does not tell. */
  readonly terminal?: boolean;
}

function readStat(pid: number): ProcessStat {
  const stat = procFile(pid, 'stat');
  // Fields are counted after the name, which may hold spaces and brackets.
  const [, parent, , session, terminal] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { parent: Number(parent) || 0, session: Number(session) || 0, ...(terminal !== undefined && { terminal: terminal !== '0' }) };
}

function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}
