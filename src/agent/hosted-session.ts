import { endGenerator } from '../base/end-generator.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { PoolSlot } from '../base/bounded-pool.ts';
import type { AgentEvent } from '../contracts/event.ts';
import type { Notice } from '../contracts/host.ts';
import type { Agent } from './agent.ts';

/** What a session that a host keeps open works with. */
export interface HostedSessionOptions {
  readonly sessionId: string;
  /** Opens the agent when it is used, and may close it while it is idle. */
  readonly slot: PoolSlot<AsyncDisposable & { readonly agent: Agent }>;
  /** What stands around the agent for whoever asks from outside. */
  guard(agent: Agent): Agent;
  /** Where what comes up between turns goes. */
  tell(notice: Notice): void;
}

/** How the calls on an open session reach its agent, and how they end with it. */
export interface HostedSession extends AsyncDisposable {
  /** A turn: what comes up meanwhile is told as its events; the session's end stops it. */
  events<Result>(
    signal: AbortSignal,
    work: (agent: Agent, signal: AbortSignal) => AsyncGenerator<AgentEvent, Result>,
  ): AsyncGenerator<AgentEvent, Result>;
  /** The same for work whose events nobody reads: the notices among them are told at once. */
  finish<Result>(signal: AbortSignal, work: (agent: Agent, signal: AbortSignal) => AsyncGenerator<AgentEvent, Result>): Promise<Result>;
  /** Anything else that is asked of the agent. */
  ask<Result>(work: (agent: Agent) => Promise<Result>): Promise<Result>;
  /** Something the owner should know of this session. */
  notice(words: string): void;
}

/** How long closing waits for a turn to say how it ended. */
const MAX_CLOSING_MS = 1_000;

export function hostSession(options: HostedSessionOptions): HostedSession {
  const { sessionId, slot, guard, tell } = options;
  const closing = new AbortController();
  const turns = new Set<Promise<void>>();
  const notices = turnNotices((text) => tell({ text, sessionId }));
  const acquire = async (): Promise<Agent> => {
    if (closing.signal.aborted) throw new Error(`session ${sessionId} is closed here; open it again to go on.`);
    return guard((await slot.acquire()).agent);
  };
  const hosted: HostedSession = {
    notice: notices.tell,
    ask: async (work) => {
      const agent = await acquire();
      try {
        return await work(agent);
      } finally {
        slot.release();
      }
    },
    async *events(signal, work) {
      const agent = await acquire();
      const over = Promise.withResolvers<void>();
      turns.add(over.promise);
      const stop = joinSignals(signal, closing.signal);
      try {
        return yield* notices.during(work(agent, stop.signal));
      } finally {
        stop[Symbol.dispose]();
        turns.delete(over.promise);
        over.resolve();
        slot.release();
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
      if (turns.size > 0) await Promise.race([Promise.all(turns), pause(MAX_CLOSING_MS, undefined, { ref: false })]);
      await slot[Symbol.asyncDispose]();
    },
  };
  return hosted;
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
