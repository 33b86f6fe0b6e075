import { readFileSync } from 'node:fs';
import { COMMAND_ID_VARIABLE } from './process/lineage.ts';

/** More parents than any shell within a shell has. */
const DEEPEST = 100;

/**
 * Whether this process was started by a command of an agent: it carries the mark every command gets, or one of its parents
 * was started with it. Where the system does not tell of parents, its own variables count.
 */
export function isBelowCommand(env: Readonly<Record<string, string | undefined>> = process.env, pid: number = process.pid): boolean {
  if ((env[COMMAND_ID_VARIABLE] ?? '') !== '') return true;
  for (let [at, depth] = [pid, 0]; at > 1 && depth < DEEPEST; at = parentOf(at), depth++) if (isMarked(at)) return true;
  return false;
}

/** By what it was started with; that of other users cannot be read, and they run nothing for us. */
const isMarked = (pid: number): boolean =>
  procFile(pid, 'environ')
    .split('\0')
    .some((variable) => variable.startsWith(`${COMMAND_ID_VARIABLE}=`) && variable.length > COMMAND_ID_VARIABLE.length + 1);

function parentOf(pid: number): number {
  const stat = procFile(pid, 'stat');
  // Fields are counted after the name, which may hold spaces and brackets.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0) || 0;
}

function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}
