import { randomBytes } from 'node:crypto';
import type { Running } from '../../../contracts/terminal.ts';

/** Background processes of this run, by session. */
export interface Processes {
  add(sessionId: string, running: Running): string;
  list(sessionId: string): readonly { readonly id: string; readonly running: Running }[];
  /** By id or a unique beginning of one. */
  find(sessionId: string, ref: string): { readonly id: string; readonly running: Running } | undefined;
}

export function processTable(): Processes {
  const rows: { readonly id: string; readonly sessionId: string; readonly running: Running }[] = [];
  const own = (sessionId: string) => rows.filter((row) => row.sessionId === sessionId);
  return {
    add: (sessionId, running) => {
      const id = `proc_${randomBytes(6).toString('hex')}`;
      rows.push({ id, sessionId, running });
      return id;
    },
    list: own,
    find: (sessionId, ref) => {
      const found = own(sessionId).filter((row) => row.id === ref || row.id.startsWith(ref));
      return found.length === 1 ? found[0] : undefined;
    },
  };
}
