import { readdirSync, readFileSync } from 'node:fs';
import { randomHex } from '../../../base/ids.ts';

/** The variable by which the processes of one command are known, wherever they went. Every command has a value of its own. */
export const COMMAND_ID_VARIABLE = 'HERMES_COMMAND_ID';
/** By its first half a command is known for one of this process: another agent on the machine has commands of its own. */
const OWN = randomHex(12);
export const createCommandId = (): string => `${OWN}${randomHex(12)}`;
export const isOwnCommandId = (id: string): boolean => id.startsWith(OWN);

/** A process that lives, as Linux lists it. */
export interface LiveProcess {
  readonly pid: number;
  readonly group: number;
}
export interface LineageRow extends LiveProcess {
  readonly parent: number;
  /** Tells it from a later one under the same pid. */
  readonly started: string;
}

/**
 * Everybody who belongs to a command and lives: its group, whoever carries its mark, and the descendants of all of these.
 * Asked again it still knows those it has seen, although their parents have gone meanwhile. `undefined` where the system
 * does not list its processes.
 */
export function trackCommandProcesses(leader: number, mark: string): () => readonly LiveProcess[] | undefined {
  const known = new Map<number, string>();
  const isKnown = ({ pid, started }: LineageRow): boolean => known.get(pid) === started;
  return () => {
    const rows = listProcesses();
    if (rows.length === 0) return undefined;
    let fresh = rows.filter((row) => isKnown(row) || row.pid === leader || row.group === leader || carries(row.pid, mark));
    while (fresh.length > 0) {
      for (const { pid, started } of fresh) known.set(pid, started);
      const parents = new Set(fresh.map(({ pid }) => pid));
      fresh = rows.filter((row) => parents.has(row.parent) && !isKnown(row));
    }
    return rows.filter(isKnown);
  };
}

/** Every process that lives; nothing where the system does not list them. */
export function listProcesses(): readonly LineageRow[] {
  return names().flatMap((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // Fields are counted after the name, which may hold spaces and brackets.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const [state, parent, group, started = ''] = [fields[0], fields[1], fields[2], fields[19]];
      return state === 'Z' || state === 'X' ? [] : [{ pid: Number(name), parent: Number(parent), group: Number(group), started }];
    } catch {
      return []; // it ended meanwhile
    }
  });
}

function names(): readonly string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return []; // there is no such folder here
  }
}

/** What a process was started with. That of other users cannot be read, and they carry nothing of ours. */
function carries(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${COMMAND_ID_VARIABLE}=${mark}`);
  } catch {
    return false;
  }
}
