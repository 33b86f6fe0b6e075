import { createTimeId } from '../base/ids.ts';
import type { AsideResult, ContextMeasure, OwnCommandResult } from '../contracts/aside.ts';
import type { BranchOptions, BranchResult } from '../contracts/branch.ts';
import type { Entry, NewEntry } from '../contracts/entry.ts';
import type { AgentEvent, Outcome } from '../contracts/event.ts';
import type { SendOptions } from '../contracts/host.ts';
import type { UserMessage } from '../contracts/message.ts';
import type { RewindResult, RewindTarget } from '../contracts/rewind.ts';
import type { Runtime } from '../contracts/runtime.ts';
import {
  isStoreError,
  type EndReason,
  type LogChange,
  type MessageFate,
  type InboxItem,
  type NewInboxItem,
  type Session,
  type SessionStore,
} from '../contracts/session-store.ts';
import { isWaitingForPerson, type TurnState } from '../contracts/turn.ts';
import { abandonTurn } from './abandon.ts';
import { cleanContent } from './clean.ts';
import type { AgentDeps, ConnectionDeps } from './deps.ts';
import type { FlushDeps, FlushStop } from './flush-memory.ts';
import { isBareStop, createStops, postTo, readUntaken, takeTexts, type SessionStops } from './inbox.ts';
import { createOpeningEntries } from './opening.ts';
import { findMarkKey } from './request.ts';
import { listOverlay } from './lateness.ts';
import { openIdleJournal, openJournal, readJournal, type Journal } from './journal.ts';
import { runTurn } from './loop.ts';
import { trackSessions } from './observe.ts';
import { createTurnState } from './state.ts';
import { watchInbox } from './watch-inbox.ts';
import { createCrashedOutcome, createStoppedOutcome, createStoreFailedOutcome } from './words.ts';

/** Works on stored sessions, each at a time by one writer. What each method promises stands in `SessionHandle`, which is this for one session. */
export interface Agent {
  send(session: Session, message: UserMessage, signal: AbortSignal, options?: SendOptions): AsyncGenerator<AgentEvent, Outcome>;
  resume(session: Session, signal: AbortSignal): AsyncGenerator<AgentEvent, Outcome | undefined>;
  compact(session: Session, signal: AbortSignal, focus?: string): AsyncGenerator<AgentEvent, boolean>;
  tidy(session: Session, signal: AbortSignal): AsyncGenerator<AgentEvent, boolean>;
  post(item: NewInboxItem): Promise<InboxItem>;
  rewind(session: Session, target: RewindTarget, signal: AbortSignal): AsyncGenerator<AgentEvent, RewindResult>;
  branch(session: Session, options?: BranchOptions): Promise<BranchResult>;
  /** What came of its memory is told as notices. */
  end(session: Session, reason: EndReason, signal: AbortSignal): AsyncGenerator<AgentEvent, boolean>;
  /** Asks what to remember ahead of the end; gives whether nobody wrote meanwhile. */
  flush(session: Session, signal: AbortSignal): AsyncGenerator<AgentEvent, boolean>;
  /** Asks what to remember of a session in use; see `memory.nudge_interval`. */
  nudge(session: Session, signal: AbortSignal): AsyncGenerator<AgentEvent, void>;
  measure(session: Session): Promise<ContextMeasure>;
  shell(session: Session, command: string, signal: AbortSignal): AsyncGenerator<AgentEvent, OwnCommandResult>;
  aside(session: Session, question: string, signal: AbortSignal): AsyncGenerator<AgentEvent, AsideResult>;
  /** Nobody here goes on with this session, or with any: what the context engine keeps for it can go. */
  close(sessionId?: string): void;
  /**
   * This agent on another model: what it tells from now on is asked there, and a session whose model is another then begins a
   * new prompt with its next turn. Tools, terminal and context engine stay as they are. A turn that runs goes on as it began,
   * and an interrupt posted to either of the two stops it.
   */
  withRuntime(runtime: Runtime, connection: ConnectionDeps): Agent;
}

/** Agents that may meet at a session are given the same stops. */
export const createAgent = (store: SessionStore, deps: AgentDeps, runtime: Runtime, stops = createStops()): Agent =>
  agentOn(store, deps, runtime, { stops, sessions: trackSessions(deps.context) });

/** What agents of one origin have in common, whatever model they are on. */
interface SharedState {
  readonly stops: SessionStops;
  readonly sessions: ReturnType<typeof trackSessions>;
}

type WorkBetween<Result> = (idle: Pick<FlushDeps, 'journal' | 'signal' | 'stop'>) => AsyncGenerator<AgentEvent, Result>;

function agentOn(store: SessionStore, deps: AgentDeps, runtime: Runtime, shared: SharedState): Agent {
  const { stops, sessions } = shared;
  const { interrupts, flushes } = stops;
  const keepOpen = (sessionId: string): void => flushes.get(sessionId)?.abort('message' satisfies FlushStop);
  /** Work between turns, on a session that nobody works on: a message stops it. Nothing where somebody does. */
  async function* whileIdle<Result>(session: Session, signal: AbortSignal, work: WorkBetween<Result>) {
    await using journal = await openIdleJournal(store, session.id);
    if (journal === undefined) return undefined;
    using stop = stopFor({ session, signal, interrupts: flushes });
    return yield* work({ journal, signal: stop.signal, stop: stop.abort });
  }
  return {
    async *send(session, message, signal, options = {}) {
      keepOpen(session.id);
      await using journal = yield* openJournal(store, session.id, deps.clock, signal);
      if (journal === undefined) return yield* settleUnstartedTurn(signal);
      sessions.begin(session.id);
      const held: HeldSession = { session, journal, signal, interrupts, deps, runtime };
      const before = yield* catchUp(held);
      // The cell is all that is left of a turn that could not be saved: a new turn would take its place.
      return before?.exitReason === 'store_failed' ? before : yield* runMessage(held, message, options);
    },
    async *resume(session, signal) {
      keepOpen(session.id);
      await using journal = yield* openJournal(store, session.id, deps.clock, signal);
      if (journal === undefined) return yield* settleUnstartedTurn(signal);
      sessions.begin(session.id);
      const outcome = yield* catchUp({ session, journal, signal, interrupts, deps, runtime });
      if (outcome === undefined && journal.log.at(-1)?.type === 'note') await (await import('./end.ts')).finishEnd(journal);
      return outcome;
    },
    async *compact(session, signal, focus) {
      await using journal = yield* openJournal(store, session.id, deps.clock, signal);
      if (journal === undefined) return false;
      sessions.begin(session.id);
      const { compactBetween } = await import('./between.ts');
      return yield* compactBetween({ ...deps, journal, signal }, runtime, { reason: 'asked', ...(focus !== undefined && { focus }) });
    },
    async *tidy(session, signal) {
      const { compactBetween, isOverfull } = await import('./between.ts');
      sessions.begin(session.id);
      // Hardly any session is near it: that is seen without becoming its writer.
      if (signal.aborted || !(await isOverfull({ ...deps, journal: await readJournal(store, session.id), signal }, runtime))) return false;
      await using journal = await openIdleJournal(store, session.id);
      if (journal === undefined) return false;
      const turnDeps = { ...deps, journal, signal };
      return (await isOverfull(turnDeps, runtime)) && (yield* compactBetween(turnDeps, runtime, { reason: 'hygiene' }));
    },
    async *rewind(session, target, signal) {
      await using journal = yield* openJournal(store, session.id, deps.clock, signal);
      if (journal === undefined) return { ok: false, why: 'it was told to stop while somebody else was at the session' };
      sessions.begin(session.id);
      const ended = yield* finishCutOff({ session, journal, signal: AbortSignal.abort('interrupted'), interrupts, deps, runtime });
      if (ended?.exitReason === 'store_failed') return { ok: false, why: ended.text };
      const { rewindTurns } = await import('./rewind.ts');
      return yield* rewindTurns({ session, journal, toolkit: deps.toolkit }, target);
    },
    branch: async (session, options = {}) => {
      const { branchAt } = await import('./branch.ts');
      return branchAt(store, session.id, options);
    },
    post: (item) => postTo(store, stops, item),
    async *end(session, reason, signal) {
      const { endSession } = await import('./end.ts');
      const ended = yield* whileIdle(session, signal, (idle) => endSession({ ...deps, ...idle }, runtime, reason));
      if (ended === true) sessions.end(session.id);
      return ended === true;
    },
    async *flush(session, signal) {
      const { flushAhead } = await import('./end.ts');
      return (yield* whileIdle(session, signal, (idle) => flushAhead({ ...deps, ...idle }, runtime))) === true;
    },
    async *nudge(session, signal) {
      const { nudgeBetween } = await import('./end.ts');
      yield* whileIdle(session, signal, (idle) => nudgeBetween({ ...deps, ...idle }, runtime));
    },
    measure: async ({ id }) => (await import('./measure.ts')).measureContext(store, id, { context: deps.context, runtime }),
    async *shell({ id }, command, signal) {
      const { runOwnCommand } = await import('./own-command.ts');
      return yield* runOwnCommand(deps.toolkit, { sessionId: id, command, signal });
    },
    async *aside({ id }, question, signal) {
      const { askAside } = await import('./aside.ts');
      return yield* askAside(store, deps, { sessionId: id, runtime, question, signal });
    },
    close: sessions.end,
    withRuntime: (next, connection) => agentOn(store, { ...deps, ...connection }, next, shared),
  };
}

/** Told to stop while another process still had the session, or no room was left for it: nothing was begun, and nothing was written. */
export async function* settleUnstartedTurn(signal: AbortSignal): AsyncGenerator<AgentEvent, Outcome> {
  const outcome = createStoppedOutcome(signal);
  yield { type: 'settled', outcome };
  return outcome;
}

/** One session in the hands of its writer. */
interface HeldSession {
  readonly session: Session;
  readonly journal: Journal;
  /** The caller's stop: it ends the turn that runs and lets none begin. */
  readonly signal: AbortSignal;
  readonly interrupts: Map<string, AbortController>;
  readonly deps: AgentDeps;
  readonly runtime: Runtime;
}

/** One stop for one turn: the caller's signal, or an interrupting text, which ends this turn and no later one. */
function stopFor({ session, signal, interrupts }: Pick<HeldSession, 'session' | 'signal' | 'interrupts'>) {
  const controller = new AbortController();
  const forward = () => controller.abort(signal.reason);
  if (signal.aborted) forward();
  signal.addEventListener('abort', forward, { once: true });
  interrupts.set(session.id, controller);
  return {
    signal: controller.signal,
    abort: (reason: string): void => controller.abort(reason),
    [Symbol.dispose]: () => {
      signal.removeEventListener('abort', forward);
      interrupts.delete(session.id);
    },
  };
}

/** The turn is still there: nothing else can begin before it is over. */
const isHeldOutcome = (outcome: Outcome | undefined): boolean => outcome?.type === 'failed' && outcome.isHeld === true;

/** Finishes the turn that was cut off, then answers the texts that wait, oldest first: each opens a turn of its own. */
async function* catchUp(held: HeldSession): AsyncGenerator<AgentEvent, Outcome | undefined> {
  let outcome = yield* finishCutOff(held);
  while (outcome?.exitReason !== 'store_failed' && !isHeldOutcome(outcome) && !held.signal.aborted) {
    // Read anew for each turn: the one before may have taken texts as steers.
    const [item] = await readUntaken(held.journal);
    if (item === undefined) break;
    takeTexts(held.journal, [item]);
    if (isBareStop(item)) {
      await held.journal.commit({ fates: [{ id: item.id, fate: 'command' }] });
      continue;
    }
    const overlay = listOverlay(item, held.deps.clock.now());
    outcome = yield* runMessage(held, { role: 'user', content: item.content }, { ...item, overlay }, item);
  }
  return outcome;
}

/** Goes on with the turn a crash left behind, on today's address and key when it is still the same model. */
async function* finishCutOff(held: HeldSession): AsyncGenerator<AgentEvent, Outcome | undefined> {
  const { session, journal, deps, runtime } = held;
  const state = await journal.store.turn(session.id);
  if (state === undefined) return undefined;
  using stop = stopFor(held);
  using _watch = watchInbox(journal, () => stop.abort('interrupted'));
  const same = state.runtime.model === runtime.model && state.runtime.provider === runtime.provider;
  // One that waits for its provider goes on with the model that is chosen by now.
  const today = same || isHeld(state) ? { ...state, runtime: { ...runtime, limits: state.runtime.limits } } : state;
  const { crash, ...next } = countCrash(today, journal, deps.maxCrashes);
  // Durable before it goes on: a turn that takes the process down with it must not do so for ever. What it waits for is committed
  // as it stands, so that whoever looks on here knows the question when its answer is there already.
  if (crash || isWaitingForPerson(state)) {
    const kept = yield* commitOpening(journal, { turnId: state.turnId, ...next });
    if (kept !== undefined) return kept;
  }
  return yield* runTurn(next.turn, { ...deps, journal, signal: stop.signal });
}

/** What a turn begins or goes on with becomes durable; gives the outcome when the store takes no more writes. */
async function* commitOpening(journal: Journal, change: LogChange): AsyncGenerator<AgentEvent, Outcome | undefined> {
  try {
    for (const entry of await journal.commit(change)) yield { type: 'entry', entry };
    return undefined;
  } catch (error) {
    if (!isStoreError(error)) throw error;
    const outcome = createStoreFailedOutcome(error);
    yield { type: 'settled', outcome };
    return outcome;
  }
}

const isHeld = (state: TurnState): boolean => state.phase === 'sample' && state.held === true;

/**
 * A turn at which the process died as often as it may, without getting any further in between, is over. One that only waited,
 * for a person or for its provider, has done nothing.
 */
function countCrash(
  state: TurnState,
  { takenOver }: Journal,
  maxCrashes: number | undefined,
): { crash: boolean; turn: TurnState; append?: readonly NewEntry[] } {
  if (
    maxCrashes === undefined ||
    takenOver !== true ||
    isWaitingForPerson(state) ||
    isHeld(state) ||
    state.phase === 'done' ||
    state.phase === 'settle'
  )
    return { crash: false, turn: state };
  const crashedAt = describePosition(state);
  const crashes = state.crashedAt === crashedAt ? (state.crashes ?? 0) + 1 : 1;
  if (crashes < maxCrashes) return { crash: true, turn: { ...state, crashes, crashedAt } };
  return { crash: true, ...abandonTurn({ ...state, crashes, crashedAt }, createCrashedOutcome(crashes)) };
}

/** How far a turn has come: steps, phase and finished calls. Each of them is bounded, so a turn that gets further ends. */
function describePosition(state: TurnState): string {
  const finished = state.phase === 'act' ? state.calls.filter(({ status }) => status === 'finished').length : 0;
  return `${state.steps} ${state.phase} ${finished}`;
}

/** The user entry, the prompt epoch it needs and the turn's first state become durable together; then the turn runs. `item` is the inbox item the message was. */
async function* runMessage(
  held: HeldSession,
  message: UserMessage,
  { origin, overlay, sampling }: SendOptions,
  item?: InboxItem,
): AsyncGenerator<AgentEvent, Outcome> {
  const { session, journal, deps, runtime } = held;
  using stop = stopFor(held);
  using _watch = watchInbox(journal, () => stop.abort('interrupted'));
  const now = deps.clock.now();
  const replyTo = item?.replyTo ?? deps.replyTo;
  const state = createTurnState({
    sessionId: session.id,
    turnId: createTimeId('t', now),
    startedAt: now,
    runtime,
    ...(sampling !== undefined && { sampling }),
    ...(replyTo !== undefined && { replyTo }),
  });
  const cleaned = { ...message, content: cleanContent(message.content, findMarkKey(journal.entries)) };
  const opening = await createOpeningEntries(held, cleaned, {
    ...(origin !== undefined && { origin }),
    ...(overlay !== undefined && { overlay }),
    ...(item?.quoted !== undefined && { quoted: item.quoted }),
    signal: stop.signal,
  });
  const fates = item === undefined ? [] : [{ id: item.id, fate: fateOf(item, journal.log) }];
  const failed = yield* commitOpening(journal, { turnId: state.turnId, append: opening.entries, turn: state, fates });
  if (failed !== undefined) return failed;
  for (const { id, fate } of fates) yield { type: 'inbox', itemId: id, fate };
  for (const words of opening.notices) yield { type: 'notice', text: words };
  return yield* runTurn(state, { ...deps, journal, signal: stop.signal });
}

/** A text that asked for a stop has that fate only if a turn was stopped; one that came too late simply opens the next. */
function fateOf({ mode }: InboxItem, entries: readonly Entry[]): MessageFate {
  const last = entries.findLast((entry) => entry.type === 'outcome');
  return mode === 'interrupt' && last?.exitReason === 'interrupted' ? 'interrupted' : 'turn';
}
