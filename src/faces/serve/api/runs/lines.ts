import { dismissMessage } from '../../../../agent/inbox.ts';
import type { Clock } from '../../../../base/clock.ts';
import { toErrorMessage } from '../../../../base/errors.ts';
import { readStringAt } from '../../../../base/json.ts';
import type { Json } from '../../../../base/json-types.ts';
import type { AgentEvent } from '../../../../contracts/event.ts';
import type { SessionHandle } from '../../../../contracts/host.ts';
import { NO_USAGE } from '../../../../contracts/message.ts';
import { isOver, type NewRunEvent, type Run } from '../../../../contracts/run-store.ts';
import type { Session, SessionStore } from '../../../../contracts/session-store.ts';
import { SUSPENDED } from '../../../../contracts/turn.ts';
import { beginActiveRun, readTurnEntries, takeOverRun, type ActiveRun } from './active-run.ts';
import { createCancelledEnd, createFailedEnd } from './end-run.ts';
import { createOpenHandles } from './open-handles.ts';
import { toRunUsage } from './run-events.ts';
import type { RunWriter } from './writer.ts';

/**
 * The turns of all runs: one line of work for each session, in this process. What a line answers is in the store; it is only told
 * that there may be something. Nobody who asked has to stay.
 */
export interface RunLines extends AsyncDisposable {
  /** Finishes what was cut off in a session and answers what waits for it: at once, or when what runs there is over. */
  wake(sessionId: string): void;
  /** Ends a run that was told to stop; others of its session go on. */
  stop(run: Run): void;
  /** Tells something in the run that is at work in a session. */
  tell(sessionId: string, event: NewRunEvent): void;
  /** Settles when no turn runs. */
  idle(): Promise<void>;
  readonly running: number;
  /** Lets go of a session that is about to be removed. Gives whether it was idle. */
  close(sessionId: string): Promise<boolean>;
}
export interface RunLinesDeps {
  readonly store: SessionStore;
  readonly openSession: (session: Session) => Promise<SessionHandle>;
  /** A session that was opened is closed. */
  readonly onClosed: (session: Session) => Promise<void>;
  readonly writer: RunWriter;
  readonly clock: Clock;
  readonly log: (words: string) => void;
  /** Whether whoever asked for it may still have it done. */
  readonly isAllowed: (run: Run) => boolean;
}

/** A turn that could not go on is tried again after this long. */
const RETRY_MS = 60_000;
/** Messages from which on a session may fill a window. */
const LONG = 20;

interface RunLine {
  running: Promise<void> | undefined;
  stop: AbortController;
  again: boolean;
  active: ActiveRun | undefined;
}

export function createRunLines(deps: RunLinesDeps): RunLines {
  const lines = new Map<string, RunLine>();
  const closing = new AbortController();
  const handles = createOpenHandles(deps.openSession, (sessionId) => lines.has(sessionId), deps.onClosed);
  const start = (sessionId: string, line: RunLine): void => {
    line.again = false;
    line.stop = new AbortController();
    line.running = runLine(sessionId, line, { ...deps, open: handles.open }, AbortSignal.any([line.stop.signal, closing.signal]))
      .catch(async (error: unknown) => {
        deps.log(`session ${sessionId} could not go on: ${toErrorMessage(error)}`);
        if (!closing.signal.aborted) await giveUpWaiting(sessionId, deps).catch(() => undefined);
        retryLater(sessionId);
      })
      .finally(() => {
        line.running = undefined;
        if (line.again && !closing.signal.aborted) start(sessionId, line);
        else lines.delete(sessionId);
      });
  };
  const wake = (sessionId: string): void => {
    if (closing.signal.aborted) return;
    const line = lines.get(sessionId) ?? { running: undefined, stop: new AbortController(), again: false, active: undefined };
    lines.set(sessionId, line);
    if (line.running === undefined) start(sessionId, line);
    else line.again = true;
  };
  const retryLater = (sessionId: string): void => void deps.clock.sleep(RETRY_MS, closing.signal).then(() => wake(sessionId));
  return {
    wake,
    stop: ({ id, sessionId }) => {
      const line = lines.get(sessionId);
      if (line?.active?.run.id === id) line.stop.abort('interrupted');
      // What waits behind it, and the run itself where it still waits.
      wake(sessionId);
    },
    tell: (sessionId, event) => lines.get(sessionId)?.active?.tell(event),
    idle: async () => {
      while (lines.size > 0) await Promise.all([...lines.values()].flatMap(({ running }) => running ?? []));
    },
    get running() {
      return lines.size;
    },
    close: async (sessionId) => {
      if (lines.has(sessionId)) return false;
      await handles.close(sessionId);
      return true;
    },
    [Symbol.asyncDispose]: async () => {
      // Turns are left where they are: the next process goes on with them.
      closing.abort(SUSPENDED);
      await Promise.all([...lines.values()].flatMap(({ running }) => running ?? []));
      await handles[Symbol.asyncDispose]();
    },
  };
}

interface RunLineDeps extends RunLinesDeps {
  readonly open: (session: Session) => Promise<SessionHandle>;
}

async function runLine(sessionId: string, line: RunLine, deps: RunLineDeps, signal: AbortSignal): Promise<void> {
  const [session] = await deps.store.find(sessionId);
  if (session?.id !== sessionId) return;
  const handle = await deps.open(session);
  // A session that grew past its window is made smaller before a turn meets it. Most are short, and a turn looks as well.
  if (session.messages >= LONG) for await (const _event of handle.tidy(signal)) continue;
  const left = await deps.store.turn(sessionId);
  if (left !== undefined) await takeOver(left.replyTo, line, deps);
  try {
    for await (const event of handle.resume(signal)) {
      if (signal.reason === SUSPENDED) break;
      await follow(event, sessionId, line, deps);
    }
  } finally {
    line.active = undefined;
  }
  if (!signal.aborted || signal.reason !== SUSPENDED) await settleRuns(sessionId, deps);
  await deps.writer.flush();
}

/** The run of a turn that was cut off. */
async function takeOver(replyTo: Json | undefined, line: RunLine, deps: RunLinesDeps): Promise<void> {
  const run = await findRun(replyTo, deps);
  if (run === undefined || isOver(run)) return;
  line.active = await takeOverRun(run, deps.store, deps.writer);
  line.active.catchUp(await readTurnEntries(run, deps.store));
  refuse(run, line, deps);
}

const findRun = async (replyTo: Json | undefined, { store }: RunLinesDeps): Promise<Run | undefined> => {
  const id = readStringAt(replyTo, 'run');
  return id === undefined ? undefined : store.runs.find(id);
};

/** Nobody wants it any more, or may want it. */
function refuse(run: Run, line: RunLine, { isAllowed }: RunLinesDeps): void {
  if (run.state === 'stopping' || !isAllowed(run)) line.stop.abort('interrupted');
}

async function follow(event: AgentEvent, sessionId: string, line: RunLine, deps: RunLinesDeps): Promise<void> {
  if (event.type === 'inbox' && (event.fate === 'turn' || event.fate === 'interrupted')) {
    const run = await findRun((await deps.store.turn(sessionId))?.replyTo, deps);
    line.active = run && beginActiveRun(run, deps.writer);
    if (run !== undefined) refuse(run, line, deps);
  }
  if (line.active?.hear(event) === true) line.active = undefined;
}

/** Ends the runs of a session that no turn will end: theirs is over, or nobody is to begin it. */
export async function settleRuns(sessionId: string, deps: Pick<RunLinesDeps, 'store' | 'writer'>): Promise<void> {
  await deps.writer.flush();
  const { store, writer } = deps;
  const turn = await store.turn(sessionId);
  for (const run of await store.runs.listOpen(sessionId)) {
    const isAtWork = run.turnId !== undefined && turn?.turnId === run.turnId;
    if (isAtWork) continue;
    if (run.turnId !== undefined) (await takeOverRun(run, store, writer)).catchUp(await readTurnEntries(run, store));
    else if (run.state === 'stopping' && (await dismissMessage(store, sessionId, run.itemId, 'expired')))
      beginActiveRun(run, writer).end(createCancelledEnd(toRunUsage(NO_USAGE)));
  }
}

/** A session that cannot be opened: what waits for it is over, so that whoever asked can ask again. A turn that was cut off stays. */
async function giveUpWaiting(sessionId: string, { store, writer }: RunLinesDeps): Promise<void> {
  for (const run of (await store.runs.listOpen(sessionId)).filter(({ turnId }) => turnId === undefined))
    if (await dismissMessage(store, sessionId, run.itemId, 'expired'))
      beginActiveRun(run, writer).end(createFailedEnd('session_unavailable', '', toRunUsage(NO_USAGE)));
  await writer.flush();
}
