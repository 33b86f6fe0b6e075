import { randomHex } from '../../../base/ids.ts';
import type { ProcessTrace, Running } from '../../../contracts/terminal.ts';
import { openWishes, processNotices, type Notify, type OpenWishes, type Wishes } from './process-notices.ts';

export interface ProcessRow {
  readonly id: string;
  readonly running: Running;
}

/** Background processes by session: those of this run, and those an earlier one left. */
export interface Processes {
  /** They may go on without us: somebody finds them again. */
  readonly outlive: boolean;
  /** As many are running as may. */
  full(): boolean;
  /** Gives its id, once it is entered where a later run finds it. */
  add(sessionId: string, running: Running, wishes?: Wishes): Promise<string>;
  /** Also those that have ended, oldest first. */
  list(sessionId: string): readonly ProcessRow[];
  /** All that an id or the beginning of one may mean, with or without its `proc_`. */
  find(sessionId: string, ref: string): readonly ProcessRow[];
  /** The session was shown how it stands; an end it has seen need not be told. */
  looked(row: ProcessRow): Promise<void>;
}

/** Where processes are entered that may outlive us. */
export interface Survivors {
  add(record: Survivor): Promise<void>;
  /** What its session wants to hear from now on. */
  change(id: string, wishes: OpenWishes): Promise<void>;
  remove(id: string): Promise<void>;
  list(): readonly Survivor[];
  /** Takes one up again; `undefined` when nothing is left of it to tell. */
  adopt(record: Survivor): Running | undefined;
}
/** With what its session wants to hear, also when that comes after us. */
export interface Survivor extends OpenWishes {
  readonly id: string;
  readonly sessionId: string;
  readonly trace: ProcessTrace;
}
export interface ProcessesOptions {
  readonly survivors?: Survivors;
  /** Absent: nobody is told anything without asking. */
  readonly notify?: Notify;
  readonly now?: () => number;
}

/** Processes that may run at once, and ended ones kept for reading; older ones go first. */
export const MAX_PROCESSES = 64;

type Row = ProcessRow & { readonly sessionId: string };

export function processTable({ survivors, notify, now }: ProcessesOptions = {}): Processes {
  let rows: readonly Row[] = [];
  const notices =
    notify === undefined
      ? undefined
      : processNotices(notify, { ...(now !== undefined && { now }), keep: (id, wishes) => survivors?.change(id, wishes) });
  const taken = new Set<string>();
  const own = (sessionId: string): readonly Row[] => {
    if (survivors !== undefined && !taken.has(sessionId)) rows = [...takenUp(survivors, sessionId, rows), ...rows];
    taken.add(sessionId);
    return rows.filter((row) => row.sessionId === sessionId);
  };
  const isOver = ({ running }: ProcessRow): boolean => running.status().state === 'exited';
  return {
    outlive: survivors !== undefined,
    full: () => rows.filter((row) => !isOver(row)).length >= MAX_PROCESSES,
    add: async (sessionId, running, wishes) => {
      own(sessionId);
      const row = { id: `proc_${randomHex(12)}`, sessionId, running };
      const ended = rows.filter(isOver);
      const dropped = new Set(ended.slice(0, Math.max(0, ended.length - MAX_PROCESSES)));
      rows = [...rows.filter((each) => !dropped.has(each)), row];
      if (wishes !== undefined) notices?.follow(row, wishes);
      if (survivors !== undefined) await entered(survivors, row, wishes, dropped);
      return row.id;
    },
    list: own,
    find: (sessionId, ref) => {
      const mine = own(sessionId);
      const same = mine.filter(({ id }) => id === ref);
      return same.length > 0 || ref === '' ? same : mine.filter(({ id }) => id.startsWith(ref) || id.startsWith(`proc_${ref}`));
    },
    looked: async (row) => {
      if (!isOver(row)) return;
      notices?.seen(row.id);
      if (survivors !== undefined) await tried(survivors.remove(row.id));
    },
  };
}

async function entered(survivors: Survivors, row: Row, wishes: Wishes | undefined, dropped: Iterable<ProcessRow>): Promise<void> {
  const { id, sessionId, running } = row;
  for (const { id: gone } of dropped) await tried(survivors.remove(gone));
  if (running.trace === undefined) return;
  // By the words people may read: the trace has the command as it ran.
  const trace = { ...running.trace, command: running.command };
  await tried(survivors.add({ id, sessionId, trace, ...(wishes !== undefined && openWishes(wishes)) }));
}
/** A list that cannot be written costs the list: the process goes on, and is only not found again. */
const tried = (work: Promise<void>): Promise<void> => work.catch(() => {});

/** What an earlier run of the session left and can still be told about. */
function takenUp(survivors: Survivors, sessionId: string, known: readonly Row[]): Row[] {
  const records = survivors.list().filter((record) => record.sessionId === sessionId && known.every(({ id }) => id !== record.id));
  return records.flatMap((record) => {
    const running = survivors.adopt(record);
    if (running === undefined) void tried(survivors.remove(record.id));
    return running === undefined ? [] : [{ id: record.id, sessionId, running }];
  });
}
