import { timeId } from '../base/ids.ts';
import type { NewEntry } from '../contracts/entry.ts';
import type { AgentEvent, Outcome } from '../contracts/event.ts';
import { text, type UserMessage } from '../contracts/message.ts';
import type { Runtime } from '../contracts/runtime.ts';
import type { Fate, InboxItem, NewInboxItem, Session, SessionStore } from '../contracts/session-store.ts';
import { cleanInput } from './clean.ts';
import type { AgentDeps, TurnDeps } from './deps.ts';
import { epochEntries } from './epoch.ts';
import { openJournal } from './journal.ts';
import { runTurn } from './loop.ts';
import { begin } from './state.ts';

/** A conversation you can talk to. Every face speaks through this and nothing deeper. */
export interface Agent {
  /**
   * Finishes a turn that was cut off and answers what waited in the inbox, then runs this message as a turn of its own.
   * The last `settled` event is the answer to it. The iteration ends with the turn; leaving it early leaves the turn to be resumed.
   */
  send(session: Session, message: UserMessage, signal: AbortSignal): AsyncGenerator<AgentEvent, Outcome>;
  /** Finishes what was cut off and answers what waits; gives nothing when there is nothing to do. */
  resume(session: Session, signal: AbortSignal): AsyncGenerator<AgentEvent, Outcome | undefined>;
  /** Leaves a text for a session that may be busy: it joins the running turn, waits for its end, or stops it. */
  post(item: NewInboxItem): Promise<InboxItem>;
}

export function createAgent(store: SessionStore, deps: AgentDeps, runtime: Runtime): Agent {
  const interrupts = new Map<string, AbortController>();
  return {
    async *send(session, message, signal) {
      await using journal = yield* openJournal(store, session.id, deps.clock, signal);
      using stop = stopFor(session.id, signal, interrupts);
      const turn: TurnDeps = { ...deps, journal, signal: stop.signal };
      yield* finishCutOff(turn, runtime);
      yield* answerWaiting(session, turn, deps, runtime);
      return yield* runMessage(session, clean(message), 'user', undefined, turn, deps, runtime);
    },
    async *resume(session, signal) {
      await using journal = yield* openJournal(store, session.id, deps.clock, signal);
      using stop = stopFor(session.id, signal, interrupts);
      const turn: TurnDeps = { ...deps, journal, signal: stop.signal };
      const finished = yield* finishCutOff(turn, runtime);
      return (yield* answerWaiting(session, turn, deps, runtime)) ?? finished;
    },
    post: async (item) => {
      const posted = await store.post(item);
      if (item.mode === 'interrupt') interrupts.get(item.sessionId)?.abort('interrupted');
      return posted;
    },
  };
}

/** One stop for a turn: the caller's signal, or an interrupting text posted in this process. */
function stopFor(sessionId: string, signal: AbortSignal, interrupts: Map<string, AbortController>) {
  const controller = new AbortController();
  const forward = () => controller.abort(signal.reason);
  if (signal.aborted) forward();
  signal.addEventListener('abort', forward, { once: true });
  interrupts.set(sessionId, controller);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      signal.removeEventListener('abort', forward);
      interrupts.delete(sessionId);
    },
  };
}

/** Goes on with the turn a crash left behind, on today's address and key when it is still the same model. */
async function* finishCutOff(turn: TurnDeps, runtime: Runtime): AsyncGenerator<AgentEvent, Outcome | undefined> {
  const state = await turn.journal.store.turn(turn.journal.sessionId);
  if (state === undefined) return undefined;
  const same = state.runtime.model === runtime.model && state.runtime.provider === runtime.provider;
  return yield* runTurn(same ? { ...state, runtime: { ...runtime, limits: state.runtime.limits } } : state, turn);
}

/** Texts that arrived while nobody could answer: each opens a turn of its own, oldest first. */
async function* answerWaiting(session: Session, turn: TurnDeps, deps: AgentDeps, runtime: Runtime): AsyncGenerator<AgentEvent, Outcome | undefined> {
  let outcome: Outcome | undefined;
  for (const item of await turn.journal.store.waiting(session.id)) {
    if (turn.signal.aborted) break;
    const message: UserMessage = { role: 'user', content: [text(item.text, 'owner')] };
    outcome = yield* runMessage(session, clean(message), 'user', item, turn, deps, runtime);
  }
  return outcome;
}

/** The user entry, the prompt epoch it needs and the turn's first state become durable together; then the turn runs. */
async function* runMessage(
  session: Session,
  message: UserMessage,
  origin: 'user' | 'cron',
  item: InboxItem | undefined,
  turn: TurnDeps,
  deps: AgentDeps,
  runtime: Runtime,
): AsyncGenerator<AgentEvent, Outcome> {
  const now = deps.clock.now();
  const state = begin({ sessionId: session.id, turnId: timeId('t', now), startedAt: now, runtime });
  const append: NewEntry[] = [...(await epochEntries(session, turn.journal.entries, deps, runtime)), { type: 'message', origin, message }];
  const fates = item === undefined ? [] : [{ id: item.id, fate: fateOf(item) }];
  for (const entry of await turn.journal.commit({ turnId: state.turnId, append, turn: state, fates })) yield { type: 'entry', entry };
  return yield* runTurn(state, turn);
}

const fateOf = (item: InboxItem): Fate => (item.mode === 'interrupt' ? 'interrupted' : 'turn');

const clean = (message: UserMessage): UserMessage => ({
  ...message,
  content: message.content.map((block) => (block.type === 'text' ? { ...block, text: cleanInput(block.text) } : block)),
});
