import { identifyOwnProcess, isAlive, isNear } from '../../base/process-identity.ts';
import type { DetachedProcessRecord, RunningProcess } from '../../contracts/terminal.ts';
import { endAll } from './process/process-group.ts';
import { identityIn } from './registry.ts';

/** The back end written for a process that ends with the program that started it, as all do in a sandbox. */
export const ATTACHED = 'session';

/** Those of this program, by the id people know them by. */
const held = new Map<string, RunningProcess>();

/** The record by which every program of the home can list the process while it runs. */
export function holdAttached(id: string, running: RunningProcess): DetachedProcessRecord {
  held.set(id, running);
  const { pid, command, startedAt } = running;
  return { backend: ATTACHED, pid, command, startedAt, log: '', exit: '', identity: { ...identifyOwnProcess() } };
}

export const releaseAttached = (id: string): void => void held.delete(id);

/** `undefined` once the program that started it is gone: nothing is left of it then. Throws where that cannot be known. */
export function findAttached(id: string, trace: DetachedProcessRecord): RunningProcess | undefined {
  const own = held.get(id);
  if (own !== undefined) return own;
  const owner = identityIn(trace);
  if (!isNear(owner)) throw new Error(`the session it belongs to is open on ${owner.host}`);
  return isAlive(owner) ? describeElsewhere(id, trace, owner.pid) : undefined;
}

/** Whether this program started it. */
export const isHeld = ({ identity }: DetachedProcessRecord): boolean =>
  identity['pid'] === process.pid && isAlive(identityIn({ identity }));

/** Whether the program that started it is known to be gone. */
export const isAbandoned = (trace: DetachedProcessRecord): boolean =>
  trace.backend === ATTACHED && isNear(identityIn(trace)) && !isAlive(identityIn(trace));

const LOOK_MS = 100;

/** A process of another program of ours: its state is known and it can be ended, but its output is held there. */
function describeElsewhere(id: string, { pid, command, startedAt }: DetachedProcessRecord, owner: number): RunningProcess {
  const words = `[Its output is held by the session that started it (process ${owner}). To see it there: /processes show ${id}]`;
  const isOver = (): boolean => !isAlive({ pid, started: '' });
  return {
    pid,
    command,
    startedAt,
    status: () => ({ state: isOver() ? 'exited' : 'running' }),
    output: () => words,
    outputEnds: () => ({ begin: words, lines: 1 }),
    onOutput: () => () => {},
    write: () => {},
    end: () => {},
    kill: async () => void (await endAll({ leader: pid, mark: `${ATTACHED}:${id}`, spareLeader: true })),
    get exited() {
      return new Promise<number>((resolve) => {
        const timer = setInterval(() => {
          if (!isOver()) return;
          clearInterval(timer);
          resolve(-1);
        }, LOOK_MS).unref();
      });
    },
  };
}
