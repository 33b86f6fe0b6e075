import { readFileSync } from 'node:fs';
import { COMMAND_ID_VARIABLE, isOwnCommandId, listProcesses, type LineageRow } from './lineage.ts';
import { isWaiting } from './waiting.ts';

/**
 * Tells whether commands that ended since this was made have left processes behind: by the mark every command gives them, and
 * in a sandbox by being there at all. One outside that has emptied its environment and lost its parent cannot be told from others.
 */
export function createLeftBehindCheck(): () => boolean {
  const since = Math.floor((Number(readProc('uptime').split(' ')[0]) || 0) * TICKS);
  return () => {
    const rows = listProcesses();
    const parents = new Map(rows.map(({ pid, parent }) => [pid, parent]));
    const hasAbove = (pid: number, is: (pid: number) => boolean): boolean => {
      for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at)) if (is(at)) return true;
      return false;
    };
    const isOurs = (pid: number): boolean => hasAbove(pid, (each) => each === process.pid);
    const isInside = ({ pid }: LineageRow): boolean => {
      const [, inside] = /^NSpid:\t\d+.*\t(\d+)$/m.exec(readProc(`${pid}/status`)) ?? [];
      return inside !== undefined && Number(inside) > HOLDERS && isOurs(pid);
    };
    const isMarked = ({ pid }: LineageRow): boolean => isOwnCommandId(MARK.exec(readProc(`${pid}/environ`))?.[1] ?? '');
    return rows.some(
      (row) => row.pid !== process.pid && Number(row.started) >= since && (isMarked(row) || isInside(row)) && !hasAbove(row.pid, isWaiting),
    );
  };
}
const MARK = new RegExp(String.raw`(?:^|\0)${COMMAND_ID_VARIABLE}=([^\0]*)`);
/** The first processes of a sandbox hold it open. */
const HOLDERS = 2;
/** Of the system's clock, in a second. */
const TICKS = 100;

function readProc(name: string): string {
  try {
    return readFileSync(`/proc/${name}`, 'latin1');
  } catch {
    return '';
  }
}
