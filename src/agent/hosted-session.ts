import { endGenerator } from '../base/end-generator.ts';
import type { PoolSlot } from '../base/bounded-pool.ts';
import { waitAtMost } from '../base/waits.ts';
import type { AgentEvent } from '../contracts/event.ts';
import type { Notice } from '../contracts/host.ts';
import type { Agent } from './agent.ts';

/** What a session that a host keeps open works with. */
export interface HostedSessionOptions<Opened> {
  readonly sessionId: string;
  /** Opens the agent when it is used, and may close it while it is idle. */
  readonly slot: PoolSlot<Opened>;
  /** The agent for whoever asks from outside, on the model of the moment. */
  agentOf(opened: Opened): Promise<Agent>;
  /** Where what comes up between turns goes. */
  tell(notice: Notice): void;
}

/** Something that is asked of the agent. */
export interface AgentWork<Result> {
  run(agent: Agent, signal: AbortSignal): AsyncGenerator<AgentEvent, Result>;
  /** What comes of it when no room was found for the agent before the signal, or the end of the session, came. */
  turnedAway(signal: AbortSignal): AsyncGenerator<AgentEvent, Result>;
  /** It is turned away at once when there is no room, and not by its signal. */
  readonly isPatient?: false;
}

/** How the calls on an open session reach its agent, and how they end with it. */
export interface HostedSession extends AsyncDisposable {
  /** A turn: what comes up meanwhile is told as its events; the session's end stops it. */
  events<Result>(signal: AbortSignal, work: AgentWork<Result>): AsyncGenerator<AgentEvent, Result>;
  /** The same for work whose events nobody reads: the notices among them are told at once. */
  finish<Result>(signal: AbortSignal, work: AgentWork<Result>): Promise<Result>;
  /** Throws once the session is closed here. */
  mustBeOpen(): void;
  /** Something the owner should know of this session. */
  notice(words: string): void;
}

/** How long closing waits for a turn to say how it ended. */
const MAX_CLOSING_MS = 1_000;

const NO_ROOM =
  'Waiting: as many sessions as may be open at once (maxOpenSessions) are busy; this one goes on when a turn of another ends.';

export function createHostedSession<Opened>(options: HostedSessionOptions<Opened>): HostedSession {
  const { sessionId, slot, agentOf, tell } = options;
  const closing = new AbortController();
  const turns = new Set<Promise<void>>();
  const notices = turnNotices((text) => tell({ text, sessionId }));
  const hosted: HostedSession = {
    notice: notices.tell,
    mustBeOpen: () => {
      if (closing.signal.aborted) throw new Error(`session ${sessionId} is closed here; open it again to go on.`);
    },
    async *events(signal, { run, turnedAway, isPatient = true }) {
      hosted.mustBeOpen();
      const over = Promise.withResolvers<void>();
      turns.add(over.promise);
      using stop = joinSignals(signal, closing.signal);
      const room = takeRoom(slot, isPatient ? stop.signal : closing.signal, isPatient);
      try {
        if (await room.isFull) yield { type: 'notice', text: NO_ROOM };
        const opened = await room.opened;
        return opened === undefined ? yield* turnedAway(stop.signal) : yield* notices.during(run(await agentOf(opened), stop.signal));
      } finally {
        await room[Symbol.asyncDispose]();
        turns.delete(over.promise);
        over.resolve();
      }
    },
    finish: async (signal, work) => {
      const events = hosted.events(signal, work);
      for (;;) {
        const { value, done } = await events.next();
        if (done === true) return value;
        if (value.type === 'notice') tell({ text: value.text, sessionId });
      }
    },
    [Symbol.asyncDispose]: async () => {
      closing.abort('terminated');
      // A turn that somebody reads ends at once; one that nobody reads any more never does.
      if (turns.size > 0) await waitAtMost(Promise.all(turns), MAX_CLOSING_MS);
      await slot[Symbol.asyncDispose]();
    },
  };
  return hosted;
}

/** Takes a slot into use until it is disposed of. `isFull` is true as soon as that means waiting; the impatient leave then. */
function takeRoom<Opened>(slot: PoolSlot<Opened>, signal: AbortSignal, isPatient: boolean) {
  const full = Promise.withResolvers<boolean>();
  const left = new AbortController();
  const leave = joinSignals(signal, left.signal);
  const opened = slot.acquire({ signal: leave.signal, onFull: () => (isPatient ? full.resolve(true) : left.abort()) });
  const done = opened.then(
    (thing) => thing !== undefined,
    () => false,
  );
  return {
    opened,
    isFull: Promise.race([full.promise, done.then(() => false)]),
    [Symbol.asyncDispose]: async () => {
      left.abort('over');
      if (await done) slot.release();
      leave[Symbol.dispose]();
    },
  };
}

/** Aborts with the first of the two, and lets go of both when it is disposed, as `AbortSignal.any` would not. */
function joinSignals(one: AbortSignal, other: AbortSignal): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const forward = () => controller.abort(one.aborted ? one.reason : other.reason);
  if (one.aborted || other.aborted) forward();
  for (const each of [one, other]) each.addEventListener('abort', forward, { once: true });
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      for (const each of [one, other]) each.removeEventListener('abort', forward);
    },
  };
}

/** What comes up while a turn runs is an event of that turn; the rest is told at once. */
function turnNotices(post: (text: string) => void) {
  const queued: string[] = [];
  let turns = 0;
  return {
    tell: (words: string): void => {
      if (turns > 0) queued.push(words);
      else post(words);
    },
    async *during<Result>(events: AsyncGenerator<AgentEvent, Result>): AsyncGenerator<AgentEvent, Result> {
      turns++;
      try {
        for (;;) {
          const { value, done } = await events.next();
          for (const text of queued.splice(0)) {
            if (done === true) post(text);
            else yield { type: 'notice', text };
          }
          if (done === true) return value;
          yield value;
        }
      } finally {
        // A consumer that leaves early leaves the turn as well. Not by `using`: generators of Node 22 cannot be disposed of.
        await endGenerator(events);
        turns--;
        if (turns === 0) for (const text of queued.splice(0)) post(text);
      }
    },
  };
}
