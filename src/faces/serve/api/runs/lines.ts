import { dismissMessage } from '../../../../agent/inbox.ts';
import type { Clock } from '../../../../base/clock.ts';
import { toErrorMessage } from '../../../../base/errors.ts';
import { readStringAt } from '../../../../base/json.ts';
import type { Json } from '../../../../base/json-types.ts';
import type { AgentEvent } from '../../../../contracts/event.ts';
import { NO_USAGE } from '../../../../contracts/message.ts';
import { isOver, type NewRunEvent, type Run } from '../../../../contracts/run-store.ts';
import type { Session, SessionStore } from '../../../../contracts/session-store.ts';
import { SUSPENDED, type TurnState } from '../../../../contracts/turn.ts';
import { beginActiveRun, readTurnEntries, takeOverRun, type ActiveRun } from './active-run.ts';
import { createCancelledEnd, createFailedEnd } from './end-run.ts';
import type { ClientCall } from './client-tools.ts';
import { createOpenHandles, type OpenHandles, type OpenRunSession } from './open-handles.ts';
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
  /** A call of a session's turn is one of the client's: the turn is left when nothing else of it is at work. */
  askClient(sessionId: string, call: Omit<ClientCall, 'id'>): void;
  /** Settles when no turn runs. */
  idle(): Promise<void>;
  readonly running: number;
  /** Lets go of a session that is about to be removed. Gives whether it was idle. */
  close(sessionId: string): Promise<boolean>;
}
export interface RunLinesDeps {
  readonly store: SessionStore;
  readonly openSession: OpenRunSession;
  /** How long a turn waits for results of its client. */
  readonly toolResultMs?: number;
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
const TOOL_RESULT_MS = 3_600_000;

interface RunLine {
  running: Promise<void> | undefined;
  stop: AbortController;
  again: boolean;
  active: ActiveRun | undefined;
  /** Calls at work, and those of them that the client is asked to run, by their ids. */
  readonly calls: Set<string>;
  readonly asked: Map<string, Omit<ClientCall, 'id'>>;
}

export function createRunLines(deps: RunLinesDeps): RunLines {
  const lines = new Map<string, RunLine>();
  const closing = new AbortController();
  const handles = createOpenHandles(deps.openSession, (sessionId) => lines.has(sessionId), deps.onClosed);
  const start = (sessionId: string, line: RunLine): void => {
    line.again = false;
    line.calls.clear();
    line.asked.clear();
    line.stop = new AbortController();
    line.running = runLine(sessionId, line, { ...deps, open: handles.open, wakeLater }, AbortSignal.any([line.stop.signal, closing.signal]))
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
    const line = lines.get(sessionId) ?? {
      running: undefined,
      stop: new AbortController(),
      again: false,
      active: undefined,
      calls: new Set(),
      asked: new Map(),
    };
    lines.set(sessionId, line);
    if (line.running === undefined) start(sessionId, line);
    else line.again = true;
  };
  const wakeLater = (sessionId: string, ms: number): void => void deps.clock.sleep(ms, closing.signal).then(() => wake(sessionId));
  const retryLater = (sessionId: string): void => wakeLater(sessionId, RETRY_MS);
  return {
    wake,
    stop: ({ id, sessionId }) => {
      const line = lines.get(sessionId);
      if (line?.active?.run.id === id) line.stop.abort('interrupted');
      // What waits behind it, and the run itself where it still waits.
      wake(sessionId);
    },
    askClient: (sessionId, call) => {
      const line = lines.get(sessionId);
      line?.asked.set(call.call_id, call);
      if (line !== undefined) leaveToClient(line);
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
  readonly open: OpenHandles['open'];
  readonly wakeLater: (sessionId: string, ms: number) => void;
}

async function runLine(sessionId: string, line: RunLine, deps: RunLineDeps, signal: AbortSignal): Promise<void> {
  const [session] = await deps.store.find(sessionId);
  if (session?.id !== sessionId) return;
  const left = await deps.store.turn(sessionId);
  const waits = left && (await findWait(session, left, deps));
  if (waits !== undefined && waits.restMs > 0) return deps.wakeLater(sessionId, waits.restMs);
  // It waits for too long, or for a client that has gone on with something else.
  if (waits !== undefined) {
    line.again = true;
    line.stop.abort('interrupted');
  }
  const [run] = await deps.store.runs.listOpen(sessionId);
  const handle = await deps.open(session, run);
  // A session that grew past its window is made smaller before a turn meets it. Most are short, and a turn looks as well.
  if (session.messages >= LONG) for await (const _event of handle.tidy(signal)) continue;
  if (left !== undefined) await takeOver(left, line, deps);
  try {
    for await (const event of handle.resume(signal)) {
      if (signal.reason === SUSPENDED) break;
      await follow(event, sessionId, line, deps);
    }
  } finally {
    line.active = undefined;
  }
  if (!signal.aborted || signal.reason !== SUSPENDED) line.again ||= await settleRuns(sessionId, deps);
  await deps.writer.flush();
}

/** The run of a turn that was cut off. */
async function takeOver({ sessionId, turnId }: TurnState, line: RunLine, deps: RunLinesDeps): Promise<void> {
  const run = await deps.store.runs.findByTurn(sessionId, turnId);
  if (run === undefined || isOver(run)) return;
  line.active = await takeOverRun(run, deps.store, deps.writer);
  line.active.catchUp(await readTurnEntries(run, deps.store));
  refuse(run, line, deps);
}

/** Longest wait of a timer. */
const MAX_SLEEP_MS = 2_000_000_000;

/** How long a turn still waits for results of its client; nothing for a turn that does not. */
async function findWait(session: Session, turn: TurnState, deps: RunLinesDeps): Promise<{ readonly restMs: number } | undefined> {
  const { store, clock, toolResultMs = TOOL_RESULT_MS } = deps;
  const run = await store.runs.findByTurn(session.id, turn.turnId);
  if (run?.endedAt === undefined || readStringAt(run.result, 'finish_reason') !== 'tool_calls') return undefined;
  // Another message came in place of the results.
  if ((await store.waiting(session.id)).length > 0) return { restMs: 0 };
  return { restMs: Math.max(0, Math.min(run.endedAt + toolResultMs - clock.now(), MAX_SLEEP_MS)) };
}

/** Nothing is at work any more but tools of the client: the run is over, and its turn stays where it is until the client comes back. */
function leaveToClient(line: RunLine): void {
  if (line.active === undefined || line.asked.size === 0 || [...line.calls].some((id) => !line.asked.has(id))) return;
  line.active.wait([...line.asked.values()]);
  line.active = undefined;
  // Then it is seen how long it may wait.
  line.again = true;
  line.stop.abort(SUSPENDED);
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
    line.active = run && (await (run.state === 'queued' ? beginActiveRun(run, deps.writer) : takeOverRun(run, deps.store, deps.writer)));
    if (run !== undefined) refuse(run, line, deps);
  }
  if (event.type === 'tool_started') line.calls.add(event.call.id);
  if (event.type === 'tool_finished' && line.calls.delete(event.callId)) line.asked.delete(event.callId);
  const ended = line.active?.hear(event);
  if (ended !== undefined) line.active = undefined;
  if (ended === 'again') line.again = true;
  leaveToClient(line);
}

/** Ends the runs of a session that no turn will end: theirs is over, or nobody is to begin it. Gives whether one has posted another message. */
export async function settleRuns(sessionId: string, deps: Pick<RunLinesDeps, 'store' | 'writer'>): Promise<boolean> {
  await deps.writer.flush();
  const { store, writer } = deps;
  const turn = await store.turn(sessionId);
  let again = false;
  for (const run of await store.runs.listOpen(sessionId)) {
    const isAtWork = run.turnId !== undefined && turn?.turnId === run.turnId;
    if (isAtWork) continue;
    if (run.turnId !== undefined)
      again = (await takeOverRun(run, store, writer)).catchUp(await readTurnEntries(run, store)) === 'again' || again;
    else if (run.state === 'stopping' && (await dismissMessage(store, sessionId, run.itemId, 'expired')))
      beginActiveRun(run, writer).end(createCancelledEnd(toRunUsage(NO_USAGE)));
  }
  await writer.flush();
  return again;
}

/** A session that cannot be opened: what waits for it is over, so that whoever asked can ask again. A turn that was cut off stays. */
async function giveUpWaiting(sessionId: string, { store, writer }: RunLinesDeps): Promise<void> {
  for (const run of (await store.runs.listOpen(sessionId)).filter(({ turnId }) => turnId === undefined))
    if (await dismissMessage(store, sessionId, run.itemId, 'expired'))
      beginActiveRun(run, writer).end(createFailedEnd('session_unavailable', '', toRunUsage(NO_USAGE)));
  await writer.flush();
}
