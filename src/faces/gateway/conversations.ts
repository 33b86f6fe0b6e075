import type { Clock } from '../../base/clock.ts';
import { toErrorMessage } from '../../base/errors.ts';
import type { SessionHandle } from '../../contracts/host.ts';
import type { AgentEvent } from '../../contracts/event.ts';
import type { Reaction } from '../../contracts/platform-adapter.ts';
import type { Json } from '../../base/json-types.ts';
import { SUSPENDED } from '../../contracts/turn.ts';
import type { Session, SessionStore } from '../../contracts/session-store.ts';
import type { FindAccount, ReplyAddress, WriteLog } from './contract.ts';
import { readAddress } from './reply-address.ts';
import { createTurnstile, type Turnstile } from './turnstile.ts';
import { openTurnView, reactTo, type TurnView } from './turn-view.ts';
import type { SendRates } from './rates.ts';

/**
 * The turns of all chats: one line of work for each session, in this process. What a line answers is in the store; it is only
 * told that there may be something.
 */
export interface Conversations extends AsyncDisposable {
  /** Finishes what was cut off in a session and answers what waits for it: at once, or when what runs there is over. */
  wake(sessionId: string): void;
  isBusy(sessionId: string): boolean;
  /** Stops the turn that runs; what waits is answered after it. */
  stop(sessionId: string): void;
  /** Has a session open, for a command; it stays open a while. */
  open(session: Session): Promise<SessionHandle>;
  /** Lets go of a session: the chat goes on with another. */
  close(sessionId: string): Promise<void>;
  /** Where the turn that runs was asked from. */
  addressOf(sessionId: string): ReplyAddress | undefined;
  /** Nothing is shown of the turn that runs any more, until it says something new: its answer goes out now. */
  pauseView(sessionId: string): Promise<void>;
  /** For a turn that waits for a person: another may work meanwhile. */
  whileAsking<Answer>(ask: () => Promise<Answer>): Promise<Answer>;
  /** Settles when no turn runs. */
  idle(): Promise<void>;
  readonly running: number;
}
export interface ConversationsDeps {
  readonly store: SessionStore;
  readonly openSession: (session: Session) => Promise<SessionHandle>;
  readonly findAccount: FindAccount;
  readonly rates: SendRates;
  readonly clock: Clock;
  readonly log: WriteLog;
  /** Every event of every turn, for hooks. */
  readonly onEvent?: (event: AgentEvent, context: { readonly session: Session; readonly address: ReplyAddress | undefined }) => void;
}

/** Sessions that are kept open for the next message. Most chats are quiet most of the time. */
const MAX_OPEN = 100;
/** A session that could not go on is tried again after this long. */
const RETRY_MS = 60_000;
/** Turns that work at once, of which none waits for a person: after an absence every chat may have something to answer. */
const MAX_WORKING = 50;

/** The work on one session. */
interface Line {
  handle: Promise<SessionHandle> | undefined;
  running: Promise<void> | undefined;
  stop: AbortController;
  again: boolean;
  address: ReplyAddress | undefined;
  pauseView: (() => Promise<void>) | undefined;
  /** Nobody goes on with it here. */
  isClosed: boolean;
}

export function createConversations(deps: ConversationsDeps): Conversations {
  const lines = new Map<string, Line>();
  const closing = new AbortController();
  const turnstile = createTurnstile(MAX_WORKING);
  /** Sessions that are being closed: nobody opens one again before that is over. */
  const leaving = new Map<string, Promise<void>>();
  const lineOf = (sessionId: string): Line => {
    const line = lines.get(sessionId) ?? {
      handle: undefined,
      running: undefined,
      stop: new AbortController(),
      again: false,
      address: undefined,
      pauseView: undefined,
      isClosed: false,
    };
    // The one that was used last is the last to go.
    lines.delete(sessionId);
    lines.set(sessionId, line);
    return line;
  };
  const open = (session: Session): Promise<SessionHandle> => {
    const line = lineOf(session.id);
    const opened = (line.handle ??= Promise.resolve(leaving.get(session.id)).then(() => deps.openSession(session)));
    opened.catch(() => (line.handle = undefined));
    makeRoom(lines, leaving, session.id);
    return opened;
  };
  const close = async (sessionId: string): Promise<void> => {
    const line = lines.get(sessionId);
    if (line === undefined) return;
    line.isClosed = true;
    if (!closing.signal.aborted) line.stop.abort('interrupted');
    await line.running;
    if (lines.get(sessionId) === line) lines.delete(sessionId);
    await (await line.handle?.catch(() => undefined))?.[Symbol.asyncDispose]();
  };
  const start = (sessionId: string, line: Line): void => {
    line.again = false;
    line.stop = new AbortController();
    line.running = runLine(sessionId, line, { ...deps, open, turnstile }, AbortSignal.any([line.stop.signal, closing.signal]))
      .catch((error: unknown) =>
        tellTrouble(sessionId, error, deps)
          .catch(() => undefined)
          .finally(() => retryLater(sessionId)),
      )
      .finally(() => {
        [line.running, line.address, line.pauseView] = [undefined, undefined, undefined];
        if (line.again && !line.isClosed && !closing.signal.aborted) start(sessionId, line);
        else makeRoom(lines, leaving);
      });
  };
  const wake = (sessionId: string): void => {
    if (closing.signal.aborted) return;
    const line = lineOf(sessionId);
    if (line.running === undefined) start(sessionId, line);
    else line.again = true;
  };
  const retryLater = (sessionId: string): void => void deps.clock.sleep(RETRY_MS, closing.signal).then(() => wake(sessionId));
  return {
    wake,
    isBusy: (sessionId) => lines.get(sessionId)?.running !== undefined,
    stop: (sessionId) => lines.get(sessionId)?.stop.abort('interrupted'),
    open,
    close,
    addressOf: (sessionId) => lines.get(sessionId)?.address,
    pauseView: async (sessionId) => lines.get(sessionId)?.pauseView?.(),
    whileAsking: async (ask) => {
      turnstile.leave();
      try {
        return await ask();
      } finally {
        turnstile.reenter();
      }
    },
    idle: async () => void (await Promise.all([...lines.values()].flatMap(({ running }) => running ?? []))),
    get running() {
      return [...lines.values()].filter(({ running }) => running !== undefined).length;
    },
    [Symbol.asyncDispose]: async () => {
      // Turns are left where they are: the next process goes on with them.
      closing.abort(SUSPENDED);
      await Promise.all([...lines.keys()].map(close));
      await Promise.all(leaving.values());
    },
  };
}

/** A session that cannot be opened or gone on with: whoever waits for it is told once, and it is tried again. */
async function tellTrouble(sessionId: string, error: unknown, { store, log }: ConversationsDeps): Promise<void> {
  log(`session ${sessionId} could not go on: ${toErrorMessage(error)}`);
  const turn = await store.turn(sessionId);
  const [item] = turn === undefined ? await store.waiting(sessionId) : [];
  const address = readAddress(turn?.replyTo ?? item?.replyTo);
  if (address === undefined) return;
  // What is wrong is the owner's business alone.
  const why = address.role === 'owner' ? `: ${toErrorMessage(error)}` : '.';
  const markdown = `I cannot work on your message right now${why}\n\nIt is kept, and I try again every minute.`;
  await store.gateway.plan([
    { key: `trouble:${turn?.turnId ?? item?.id}`, target: address.target, content: { type: 'text', markdown }, sessionId },
  ]);
}

/** Closes what was not used for longest. Which ones is decided at once: a moment later one of them may be at work again. */
function makeRoom(lines: Map<string, Line>, leaving: Map<string, Promise<void>>, except?: string): void {
  const idle = [...lines].filter(([id, { running, handle }]) => id !== except && running === undefined && handle !== undefined);
  for (const [sessionId, { handle }] of idle.slice(0, Math.max(0, lines.size - MAX_OPEN))) {
    lines.delete(sessionId);
    const closed = Promise.resolve(handle)
      .then((opened) => opened?.[Symbol.asyncDispose]())
      .catch(() => undefined)
      .then(() => void (leaving.get(sessionId) === closed && leaving.delete(sessionId)));
    leaving.set(sessionId, closed);
  }
}

interface ConversationLineDeps extends ConversationsDeps {
  readonly open: (session: Session) => Promise<SessionHandle>;
  readonly turnstile: Turnstile;
}

async function runLine(sessionId: string, line: Line, deps: ConversationLineDeps, signal: AbortSignal): Promise<void> {
  await deps.turnstile.enter(signal);
  try {
    await answerWaiting(sessionId, line, deps, signal);
  } finally {
    deps.turnstile.leave();
  }
}

async function answerWaiting(sessionId: string, line: Line, deps: ConversationLineDeps, signal: AbortSignal): Promise<void> {
  const [session] = await deps.store.find(sessionId);
  if (session === undefined) return;
  const handle = await deps.open(session);
  // A session that grew past its window is made smaller before a turn meets it.
  for await (const _event of handle.tidy(signal)) continue;
  const view = createLineView(session, line, deps);
  try {
    const first = await deps.store.turn(sessionId);
    if (first !== undefined) await view.begin(first.turnId, first.replyTo);
    for await (const event of handle.resume(signal)) {
      if (signal.reason === SUSPENDED) break;
      await view.event(event);
    }
  } finally {
    await view.end();
  }
}

/** Shows each turn where it was asked from. */
function createLineView(session: Session, line: Line, deps: ConversationsDeps) {
  let view: TurnView | undefined;
  let turnId = '';
  const end = async (): Promise<void> => {
    const ending = view;
    view = undefined;
    await ending?.end();
  };
  line.pauseView = end;
  const show = (): void => {
    const { store, rates, clock } = deps;
    const { address } = line;
    const account = address && deps.findAccount(address.target);
    if (address !== undefined && account !== undefined && address.label === undefined && address.unasked === undefined)
      view ??= openTurnView(
        { store: store.gateway, account, rates, clock },
        { address, sessionId: session.id, turnId, display: account.config.display },
      );
  };
  const begin = async (id: string, replyTo: Json | undefined): Promise<void> => {
    await end();
    turnId = id;
    line.address = readAddress(replyTo);
    show();
    react('seen');
  };
  const react = (reaction: Reaction): void => {
    const account = line.address && deps.findAccount(line.address.target);
    if (account !== undefined && line.address !== undefined) reactTo(account, line.address, reaction, deps.rates);
  };
  return {
    begin,
    end,
    event: async (event: AgentEvent): Promise<void> => {
      // A message that opens a turn of its own tells where that one was asked from.
      if (event.type === 'inbox' && (event.fate === 'turn' || event.fate === 'interrupted')) {
        const state = await deps.store.turn(session.id);
        if (state !== undefined && state.turnId !== turnId) await begin(state.turnId, state.replyTo);
      }
      if (event.type === 'text_delta' || event.type === 'tool_started') show();
      view?.event(event);
      deps.onEvent?.(event, { session, address: line.address });
      if (event.type !== 'settled') return;
      await end();
      react(event.outcome.type === 'failed' ? 'failed' : 'done');
    },
  };
}
