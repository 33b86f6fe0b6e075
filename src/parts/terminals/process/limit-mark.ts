import { readFileSync } from 'node:fs';

/** Bytes of POSIX message queues a user may have, on every Linux where nobody set it otherwise. */
const USUAL_LIMIT = 819_200;

/**
 * Lowers a limit that nothing runs into, for the shell of a command and for all it starts. The system hands it on to every
 * child, whatever that does to its group, its parents and its variables, and lets nobody but root raise it again: a mark that
 * a process cannot take off. Said in bash; a system without this limit says no, which is not heard.
 */
export const LOWER_LIMIT = `ulimit -q ${USUAL_LIMIT - 1} 2>/dev/null`;

/** Whether a process has the mark. What this machine gives everybody counts as usual where it is less. */
export function hasLoweredLimit(pid: number): boolean {
  const limit = readHardLimit(pid);
  return limit !== undefined && limit < Math.min(USUAL_LIMIT, readHardLimit(1) ?? USUAL_LIMIT);
}

/** `undefined` where the system does not tell, and where there is no limit. */
function readHardLimit(pid: number): number | undefined {
  try {
    const [, hard] = /^Max msgqueue size +\S+ +(\d+) /m.exec(readFileSync(`/proc/${pid}/limits`, 'latin1')) ?? [];
    return hard === undefined ? undefined : Number(hard);
  } catch {
    return undefined;
  }
}
