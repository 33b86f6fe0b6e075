import { isAlive } from '../../../../base/process-identity.ts';
import { fromJson } from '../database/json.ts';
import type { RowHolder } from './base.ts';

/** A process as it stands beside what it holds. */
export const nameProcess = ({ host, pid, started, space = '' }: RowHolder): string => JSON.stringify([host, pid, started, space]);

/** A process by its name. */
export function readProcess(name: string): {
  readonly pid: number;
  readonly host: string;
  readonly started: string;
  readonly space: string;
} {
  const [host, pid, started, space] = fromJson<[host: string, pid: number, started: string, space: string]>(name, 'who holds a row');
  return { host, pid, started, space };
}

/** Whether this process can ask whether that one lives. */
export function isNear(name: string, me: RowHolder): boolean {
  const { host, space } = readProcess(name);
  return host === me.host && (space === '' || me.space === undefined || space === me.space);
}

/** Whether a process of this machine is no more. Of another machine's, or another container's, nobody can tell: its lease does. */
export function isDead(name: string, me: RowHolder): boolean {
  const { pid, started } = readProcess(name);
  return isNear(name, me) && !(pid === me.pid && started === me.started) && !isAlive({ pid, started });
}
