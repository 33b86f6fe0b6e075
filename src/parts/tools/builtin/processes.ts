import { randomHex } from '../../../base/ids.ts';
import type { Running } from '../../../contracts/terminal.ts';

export interface ProcessRow {
  readonly id: string;
  readonly running: Running;
}

/** Background processes of this run, by session. */
export interface Processes {
  add(sessionId: string, running: Running): string;
  /** Also those that have ended, oldest first. */
  list(sessionId: string): readonly ProcessRow[];
  /** All that an id or the beginning of one may mean, with or without its `proc_`. */
  find(sessionId: string, ref: string): readonly ProcessRow[];
}

/** Ended processes kept for reading; older ones go first. */
const MAX_ENDED = 64;

export function processTable(): Processes {
  let rows: (ProcessRow & { readonly sessionId: string })[] = [];
  const own = (sessionId: string) => rows.filter((row) => row.sessionId === sessionId);
  return {
    add: (sessionId, running) => {
      const id = `proc_${randomHex(12)}`;
      const ended = rows.filter((row) => row.running.status().state === 'exited');
      const dropped = new Set(ended.slice(0, Math.max(0, ended.length - MAX_ENDED)));
      rows = [...rows.filter((row) => !dropped.has(row)), { id, sessionId, running }];
      return id;
    },
    list: own,
    find: (sessionId, ref) => {
      const mine = own(sessionId);
      const same = mine.filter(({ id }) => id === ref);
      return same.length > 0 || ref === '' ? same : mine.filter(({ id }) => id.startsWith(ref) || id.startsWith(`proc_${ref}`));
    },
  };
}
