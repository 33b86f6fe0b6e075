import { toErrorMessage } from '../../../../base/errors.ts';
import { randomHex } from '../../../../base/ids.ts';
import type { DetachedProcessRecord, RunningProcess } from '../../../../contracts/terminal.ts';
import { toPendingNotices, createProcessNotices, type Notify, type PendingNotices, type NoticeRequest } from './process-notices.ts';

export interface ProcessRow {
  readonly id: string;
  readonly running: RunningProcess;
}

/** A process of an earlier run that may well go on. */
export interface UnreachedProcess {
  readonly id: string;
  readonly command: string;
  readonly why: string;
}

/** Background processes by session: those of this run, and those an earlier one left. */
export interface Processes {
  /** They may go on without us: somebody finds them again. */
  readonly outlive: boolean;
  /** As many are running as may. */
  full(): boolean;
  /** Gives its id, once it is entered where a later run finds it. */
  add(sessionId: string, running: RunningProcess, request?: NoticeRequest): Promise<string>;
  /** Also those that have ended, oldest first. */
  list(sessionId: string): Promise<readonly ProcessRow[]>;
  /** All that an id or the beginning of one may mean, with or without its `proc_`. */
  find(sessionId: string, ref: string): Promise<readonly ProcessRow[]>;
  /** Those whose place could not be asked when they were last looked for. */
  unreached(sessionId: string): readonly UnreachedProcess[];
  /** A call ends it, and says so in its answer: however long that takes, the session need not be told. */
  ending(row: ProcessRow): void;
  /** The session was shown how it stands; an end it has seen need not be told. */
  looked(row: ProcessRow): Promise<void>;
}

/** Where processes are entered that may outlive us. */
export interface Survivors {
  add(record: Survivor): Promise<void>;
  /** Enters one that ends with this program, so that it is listed while it runs. */
  attach(record: Omit<Survivor, 'trace'>, running: RunningProcess): Promise<void>;
  /** What its session wants to hear from now on. */
  change(id: string, request: PendingNotices): Promise<void>;
  /** The owner wants it to go on when its session is closed. */
  keep(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  list(): Promise<readonly Survivor[]>;
  /** Takes one up again; `undefined` when nothing is left of it to tell. Throws when its place cannot be asked now. */
  adopt(record: Survivor): Promise<RunningProcess | undefined>;
}
/** With what its session wants to hear, also when that comes after us. */
export interface Survivor extends PendingNotices {
  readonly id: string;
  readonly sessionId: string;
  readonly trace: DetachedProcessRecord;
  /** The owner wants it to go on when its session is closed. */
  readonly kept?: true;
}
export interface ProcessesOptions {
  readonly survivors?: Survivors;
  /** Absent: nobody is told anything without asking. */
  readonly notify?: Notify;
  readonly now?: () => number;
}

/** Processes that may run at once, and ended ones kept for reading; older ones go first. */
export const MAX_PROCESSES = 64;

type RegisteredProcess = ProcessRow & { readonly sessionId: string };

export function createProcessTable({ survivors, notify, now }: ProcessesOptions = {}): Processes {
  let rows: readonly RegisteredProcess[] = [];
  const notices =
    notify === undefined
      ? undefined
      : createProcessNotices(notify, { ...(now !== undefined && { now }), keep: (id, request) => survivors?.change(id, request) });
  const earlier = survivors === undefined ? undefined : earlierRuns(survivors);
  const own = async (sessionId: string): Promise<readonly RegisteredProcess[]> => {
    const found = (await earlier?.takeUp(sessionId, rows)) ?? [];
    rows = [...found, ...rows];
    return rows.filter((row) => row.sessionId === sessionId);
  };
  const isOver = ({ running }: ProcessRow): boolean => running.status().state === 'exited';
  return {
    outlive: survivors !== undefined,
    full: () => rows.filter((row) => !isOver(row)).length >= MAX_PROCESSES,
    add: async (sessionId, running, request) => {
      const row = { id: `proc_${randomHex(12)}`, sessionId, running };
      const ended = rows.filter(isOver);
      const dropped = new Set(ended.slice(0, Math.max(0, ended.length - MAX_PROCESSES)));
      rows = [...rows.filter((each) => !dropped.has(each)), row];
      if (request !== undefined) notices?.follow(row, request);
      if (survivors !== undefined) await enterSurvivor(survivors, row, request, dropped);
      return row.id;
    },
    list: own,
    unreached: (sessionId) => earlier?.unreached(sessionId) ?? [],
    find: async (sessionId, ref) => {
      const mine = await own(sessionId);
      const same = mine.filter(({ id }) => id === ref);
      return same.length > 0 || ref === '' ? same : mine.filter(({ id }) => id.startsWith(ref) || id.startsWith(`proc_${ref}`));
    },
    ending: ({ id }) => notices?.seen(id),
    looked: async (row) => {
      if (!isOver(row)) return;
      notices?.seen(row.id);
      if (survivors !== undefined) await ignoreFailure(survivors.remove(row.id));
    },
  };
}

async function enterSurvivor(
  survivors: Survivors,
  row: RegisteredProcess,
  request: NoticeRequest | undefined,
  dropped: Iterable<ProcessRow>,
): Promise<void> {
  const { id, sessionId, running } = row;
  for (const { id: gone } of dropped) await ignoreFailure(survivors.remove(gone));
  if (running.trace === undefined) return ignoreFailure(survivors.attach({ id, sessionId }, running));
  // By the words people may read: the trace has the command as it ran.
  const trace = { ...running.trace, command: running.command };
  await ignoreFailure(survivors.add({ id, sessionId, trace, ...(request !== undefined && toPendingNotices(request)) }));
}
/** A list that cannot be written costs the list: the process goes on, and is only not found again. */
const ignoreFailure = (work: Promise<void>): Promise<void> => work.catch(() => {});

/** What earlier runs of a session left: taken up once, and asked after again as long as its place cannot be asked. */
function earlierRuns(survivors: Survivors) {
  const asked = new Map<string, Promise<ProcessLookup>>();
  const missed = new Map<string, readonly UnreachedProcess[]>();
  const given = new Set<string>();
  return {
    unreached: (sessionId: string) => missed.get(sessionId) ?? [],
    takeUp: async (sessionId: string, known: readonly RegisteredProcess[]): Promise<readonly RegisteredProcess[]> => {
      const asking = asked.get(sessionId) ?? findSurvivors(survivors, sessionId, known);
      asked.set(sessionId, asking);
      const { rows, unreached } = await asking;
      missed.set(sessionId, unreached);
      if (unreached.length > 0) asked.delete(sessionId);
      // Of several who ask at once, one is given them.
      const fresh = rows.filter(({ id }) => !given.has(id));
      for (const { id } of fresh) given.add(id);
      return fresh;
    },
  };
}
interface ProcessLookup {
  readonly rows: readonly RegisteredProcess[];
  readonly unreached: readonly UnreachedProcess[];
}

async function findSurvivors(survivors: Survivors, sessionId: string, known: readonly RegisteredProcess[]): Promise<ProcessLookup> {
  const records = (await survivors.list()).filter((record) => record.sessionId === sessionId && known.every(({ id }) => id !== record.id));
  const found = await Promise.all(records.map((record) => adoptSurvivor(survivors, record)));
  return {
    rows: found.flatMap((each) => (each !== undefined && 'running' in each ? [each] : [])),
    unreached: found.flatMap((each) => (each !== undefined && 'why' in each ? [each] : [])),
  };
}

async function adoptSurvivor(survivors: Survivors, record: Survivor): Promise<RegisteredProcess | UnreachedProcess | undefined> {
  const { id, sessionId, trace } = record;
  try {
    const running = await survivors.adopt(record);
    if (running !== undefined) return { id, sessionId, running };
    await ignoreFailure(survivors.remove(id));
    return undefined;
  } catch (error) {
    return { id, command: trace.command, why: toErrorMessage(error) };
  }
}
