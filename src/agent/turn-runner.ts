import type { AgentEvent } from '../contracts/event.ts';
import type { SendOptions, SessionHandle } from '../contracts/host.ts';
import type { UserMessage } from '../contracts/message.ts';
import type { InboxMode } from '../contracts/session-store.ts';

/** What a face hears of the turns it has run. */
export interface TurnRunnerHandlers {
  event(event: AgentEvent): void;
  /** A turn broke down in a way that gave no outcome: its store is gone, or this is a bug. */
  error(error: unknown): void;
  /** Something runs, or nothing runs any more. */
  busy?(busy: boolean): void;
}

/**
 * Runs the turns of one open session for a face that takes messages while it draws.
 *
 * Promises:
 * - one turn at a time; its events are handed over in order;
 * - messages are answered in the order in which they were sent: each is stored for the session before the next is looked at;
 * - a message that comes while a turn runs joins it as its mode says, and whatever the turn did not take gets a turn of its own;
 * - `stop` stops the turn that runs; what waits is answered after it, unless it is told to leave that, or the runner is closed.
 */
export interface TurnRunner extends AsyncDisposable {
  readonly busy: boolean;
  /** Sends the message as a turn, or leaves it for the session while a turn runs. Gives the id under which it waits. */
  send(message: UserMessage, mode?: InboxMode, options?: SendOptions): Promise<string | undefined>;
  /** Finishes what was cut off and answers what waits: at once, or when the turn that runs is over. */
  resume(): void;
  /** Runs other work on the session's log (a compaction, a rewind) as if it were a turn. Waits for the one that runs. */
  run(work: (signal: AbortSignal) => AsyncIterable<AgentEvent>): Promise<void>;
  stop(options?: StopOptions): void;
  /** Settles when nothing runs. */
  idle(): Promise<void>;
}

interface StopOptions {
  /** What waits keeps waiting until the next message, or until `resume`. */
  readonly leaveWaiting?: true;
}

type TurnWork = (signal: AbortSignal) => AsyncIterable<AgentEvent>;

export function createTurnRunner(session: SessionHandle, handlers: TurnRunnerHandlers): TurnRunner {
  let running: { readonly stop: AbortController; readonly over: Promise<void> } | undefined;
  let waits = false;
  let closed = false;

  async function follow(work: TurnWork, signal: AbortSignal): Promise<void> {
    try {
      for await (const event of work(signal)) handlers.event(event);
    } catch (error) {
      handlers.error(error);
    }
  }
  function start(work: TurnWork): Promise<void> {
    const stop = new AbortController();
    const over = follow(work, stop.signal).then(() => {
      running = undefined;
      if (!waits || closed) return handlers.busy?.(false);
      waits = false;
      void start((signal) => session.resume(signal));
    });
    if (running === undefined) handlers.busy?.(true);
    running = { stop, over };
    return over;
  }
  async function idle(): Promise<void> {
    await running?.over;
    if (running !== undefined) await idle();
  }
  return {
    get busy() {
      return running !== undefined;
    },
    send: async (message, mode = 'steer', options) => {
      if (running === undefined && options !== undefined) return void start((signal) => session.send(message, signal, options));
      const joins = running !== undefined;
      const { id } = await session.post({ content: message.content, mode });
      // The turn may have settled, or one begun, while the message was stored.
      if (running === undefined) void start((signal) => session.resume(signal));
      else waits = true;
      return joins ? id : undefined;
    },
    resume: () => {
      waits = running !== undefined;
      if (running === undefined) void start((signal) => session.resume(signal));
    },
    run: async (work) => {
      await idle();
      await start(work);
    },
    stop: ({ leaveWaiting } = {}) => {
      if (leaveWaiting === true) waits = false;
      running?.stop.abort('interrupted');
    },
    idle,
    [Symbol.asyncDispose]: async () => {
      closed = true;
      running?.stop.abort('terminated');
      await idle();
    },
  };
}
