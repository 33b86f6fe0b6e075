import { isAlive } from '../../../../base/process-identity.ts';
import { fromJson } from '../database/json.ts';
import type { RowHolder } from './base.ts';

/** A process as it stands beside what it holds. */
export const nameProcess = ({ host, pid, started }: RowHolder): string => JSON.stringify([host, pid, started]);

/** Whether a process of this machine is no more. Of another machine's nobody can tell: its lease does. */
export function isDead(name: string, me: RowHolder): boolean {
  const [host, pid, started] = fromJson<[host: string, pid: number, started: string]>(name, 'who holds a row');
  return host === me.host && !(pid === me.pid && started === me.started) && !isAlive({ pid, started });
}
