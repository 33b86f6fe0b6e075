import type { SessionHandle } from '../../../contracts/host.ts';
import type { Session } from '../../../contracts/session-store.ts';
import { SUSPENDED } from '../../../contracts/turn.ts';
import type { ReplyAddress, WriteLog } from '../contract.ts';
import { createOpenSessions, type OpenSessions } from './open-sessions.ts';
import type { Outcome } from '../../../contracts/outcome.ts';
import { tellOutage, tellTrouble } from './trouble.ts';
import { createShownTurns, type ShownTurns, type ShownTurnsDeps } from './shown-turns.ts';
import { createTurnActivity, type TurnActivity } from './turn-activity.ts';
import { createTurnstile, type Turnstile } from './turnstile.ts';

/**
 * The turns of all chats. A conversation is the work of this process on one session: it answers what waits there, one turn after
 * the other. What that is stands in the store; a conversation is only told that there may be something.
 */
export interface Conversations extends AsyncDisposable {
  /** Finishes what was cut off in a session and answers what waits for it: at once, or when what runs there is over. */
  wake(sessionId: string): void;
  isBusy(sessionId: string): boolean;
  /** A command works in this session, perhaps beside its turns: until this is disposed, it stays open and no sweep ends it. */
  use(sessionId: string): Disposable;
  /** Whether a turn or a command works in it. */
  isUsed(sessionId: string): boolean;
  /** Stops the turn that runs; what waits is answered after it. */
  stop(sessionId: string): void;
  /** Has a session open, for a command; it stays open a while. */
  open(session: Session): Promise<SessionHandle>;
  /** Lets go of a session: the chat goes on with another. */
  close(sessionId: string): Promise<void>;
  /** Lets go of a session that has ended, when no command works in it any more. */
  retire(sessionId: string): Promise<void>;
  /** As `close`, and nothing of it is answered until this is disposed. */
  hold(sessionId: string): Promise<Disposable>;
  /** What sessions are opened with has changed: it holds with their next turns. */
  renew(): void;
  /** Where the turn that runs was asked from. */
  addressOf(sessionId: string): ReplyAddress | undefined;
  /** Nothing is shown of the turn that runs any more, until it says something new: its answer goes out now. */
  pauseView(sessionId: string): Promise<void>;
  /** For a turn that waits for a person: another may work meanwhile. */
  whileAsking<Answer>(sessionId: string, ask: () => Promise<Answer>): Promise<Answer>;
  /** Settles when no turn works: a turn that only waits for a person goes on after the next start as well as now. */
  idle(): Promise<void>;
  /** Turns that work. */
  readonly running: number;
  /** Turns that only wait for a person. */
  readonly waiting: number;
}
export interface ConversationsDeps extends ShownTurnsDeps {
  readonly openSession: (session: Session) => Promise<SessionHandle>;
  readonly log: WriteLog;
}

/** A session that could not go on is tried again after this long. */
const RETRY_MS = 60_000;
/** A turn whose provider is down is tried again after these waits, and then after the last of them each time. */
const OUTAGE_WAITS_MS = [15_000, 30_000, 60_000, 120_000, 300_000] as const;
/** Turns that work at once, of which none waits for a person: after an absence every chat may have something to answer. */
const MAX_WORKING = 50;

interface OngoingConversation {
  readonly stop: AbortController;
  /** Somebody told it meanwhile that there may be more. */
  again: boolean;
  /** Nobody goes on with it here. */
  isLeft: boolean;
  turns: ShownTurns | undefined;
  running: Promise<void>;
  readonly activity: TurnActivity;
}

export function createConversations(deps: ConversationsDeps): Conversations {
  const conversations = new Map<string, OngoingConversation>();
  const closing = new AbortController();
  const turnstile = createTurnstile(MAX_WORKING);
  const isBusy = (sessionId: string): boolean => conversations.has(sessionId);
  const uses = new Map<string, number>();
  const isUsed = (sessionId: string): boolean => isBusy(sessionId) || uses.has(sessionId);
  const sessions = createOpenSessions({ openSession: deps.openSession, isBusy: isUsed });
  const held: ConverseDeps['held'] = new Map();
  const all: ConverseDeps = { ...deps, conversations, sessions, turnstile, held, closing: closing.signal };
  const close = async (sessionId: string): Promise<void> => {
    await leave(conversations.get(sessionId));
    await sessions.close(sessionId);
  };
  const over = async (): Promise<void> => void (await Promise.all([...conversations.values()].map(({ running }) => running)));
  const listWorking = () => [...conversations.values()].filter(({ activity }) => !activity.isWaiting);
  const idle = async (): Promise<void> => {
    for (let working = listWorking(); working.length > 0; working = listWorking())
      await Promise.race(working.map(({ running, activity }) => Promise.race([running, activity.changed()])));
  };
  return {
    wake: (sessionId) => wake(sessionId, all),
    isBusy,
    use: (sessionId) => {
      countUse(uses, sessionId, 1);
      return { [Symbol.dispose]: () => (countUse(uses, sessionId, -1), sessions.makeRoom()) };
    },
    isUsed,
    stop: (sessionId) => stopTurn(conversations.get(sessionId)),
    open: sessions.open,
    close,
    retire: sessions.retire,
    hold: async (sessionId) => {
      held.set(sessionId, false);
      await close(sessionId);
      return { [Symbol.dispose]: () => release(sessionId, all) };
    },
    renew: sessions.renew,
    addressOf: (sessionId) => conversations.get(sessionId)?.turns?.address,
    pauseView: async (sessionId) => conversations.get(sessionId)?.turns?.end(),
    whileAsking: async (sessionId, ask) => {
      using _asking = conversations.get(sessionId)?.activity.ask();
      return await turnstile.outside(ask);
    },
    idle,
    get running() {
      return listWorking().length;
    },
    get waiting() {
      return conversations.size - listWorking().length;
    },
    [Symbol.asyncDispose]: async () => {
      // Turns are left where they are: the next process goes on with them.
      closing.abort(SUSPENDED);
      await over();
      await sessions[Symbol.asyncDispose]();
    },
  };
}

function countUse(uses: Map<string, number>, sessionId: string, more: 1 | -1): void {
  const count = (uses.get(sessionId) ?? 0) + more;
  if (count > 0) uses.set(sessionId, count);
  else uses.delete(sessionId);
}

interface ConverseDeps extends ConversationsDeps {
  readonly conversations: Map<string, OngoingConversation>;
  readonly sessions: OpenSessions;
  readonly turnstile: Turnstile;
  /** Sessions that nothing is answered in for now, and whether something wanted to be. */
  readonly held: Map<string, boolean>;
  readonly closing: AbortSignal;
}

function release(sessionId: string, deps: ConverseDeps): void {
  const isWanted = deps.held.get(sessionId) === true;
  deps.held.delete(sessionId);
  if (isWanted) wake(sessionId, deps);
}

function wake(sessionId: string, deps: ConverseDeps): void {
  if (deps.held.has(sessionId)) deps.held.set(sessionId, true);
  if (deps.closing.aborted || deps.held.has(sessionId)) return;
  const conversation = deps.conversations.get(sessionId);
  if (conversation === undefined) start(sessionId, deps);
  else conversation.again = true;
}

function start(sessionId: string, deps: ConverseDeps): void {
  const { conversations, sessions, closing, clock } = deps;
  const conversation = newConversation();
  conversations.set(sessionId, conversation);
  conversation.running = converse(sessionId, conversation, deps, AbortSignal.any([conversation.stop.signal, closing]))
    .catch(async (error: unknown) => {
      await tellTrouble(sessionId, error, deps).catch(() => undefined);
      void clock.sleep(RETRY_MS, closing).then(() => wake(sessionId, deps));
    })
    .then(() => hasMore(sessionId, conversation, deps))
    .catch(() => true)
    .then((goesOn) => {
      conversations.delete(sessionId);
      sessions.makeRoom();
      if ((goesOn || conversation.again) && !conversation.isLeft) wake(sessionId, deps);
    });
}

/** Most of those who wake a conversation tell it what it has answered by then. */
async function hasMore(sessionId: string, conversation: OngoingConversation, { store }: ConverseDeps): Promise<boolean> {
  while (conversation.again) {
    conversation.again = false;
    if ((await store.waiting(sessionId)).length > 0 || (await store.turn(sessionId)) !== undefined) return true;
  }
  return false;
}

const newConversation = (): OngoingConversation => ({
  stop: new AbortController(),
  again: false,
  isLeft: false,
  turns: undefined,
  running: Promise.resolve(),
  activity: createTurnActivity(),
});

/** What waited when this process began told nobody here that there is more. */
function stopTurn(conversation: OngoingConversation | undefined): void {
  if (conversation === undefined) return;
  conversation.again = true;
  conversation.stop.abort('interrupted');
}

async function leave(conversation: OngoingConversation | undefined): Promise<void> {
  if (conversation === undefined) return;
  conversation.isLeft = true;
  conversation.stop.abort('interrupted');
  await conversation.running;
}

async function converse(sessionId: string, conversation: OngoingConversation, deps: ConverseDeps, signal: AbortSignal): Promise<void> {
  for (let tries = 0; ; tries++) {
    await deps.turnstile.enter(signal);
    let outcome: Outcome | undefined;
    try {
      outcome = await answerWaiting(sessionId, conversation, deps, signal);
    } finally {
      deps.turnstile.leave();
    }
    if (outcome?.type !== 'failed' || outcome.isHeld !== true || signal.reason === SUSPENDED) return;
    await tellOutage(sessionId, outcome, deps);
    // Kept in the store as it stands: it is waited for as little as a person is.
    using _waiting = conversation.activity.ask();
    await deps.clock.sleep(OUTAGE_WAITS_MS[Math.min(tries, OUTAGE_WAITS_MS.length - 1)] ?? 0, signal);
    if (signal.reason === SUSPENDED) return;
  }
}

async function answerWaiting(
  sessionId: string,
  conversation: OngoingConversation,
  deps: ConverseDeps,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const [session] = await deps.store.find(sessionId);
  if (session === undefined) return undefined;
  const handle = await deps.sessions.open(session);
  // A session that grew past its window is made smaller before a turn meets it.
  for await (const _event of handle.tidy(signal)) continue;
  const turns = (conversation.turns = createShownTurns(session, { ...deps, isWaiting: () => conversation.activity.isWaiting }));
  try {
    const first = await deps.store.turn(sessionId);
    if (first !== undefined) await turns.begin(first.turnId, first.replyTo);
    const events = handle.resume(signal);
    for (let step = await events.next(); ; step = await events.next()) {
      if (step.done === true) return step.value;
      if (signal.reason === SUSPENDED) return void (await events.return(undefined));
      conversation.activity.event(step.value);
      await turns.event(step.value);
    }
  } finally {
    await turns.end();
  }
}
