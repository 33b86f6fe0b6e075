import type { Clock } from '../base/clock.ts';
import { endGenerator } from '../base/end-generator.ts';
import type { AgentEvent, Outcome } from '../contracts/event.ts';

export interface QuietNudgeDeps {
  readonly clock: Clock;
  /** After so many turns it is worth asking; 0 for never. */
  readonly interval: number;
  /** Asks the model what to remember, if that many turns have passed. */
  nudge(signal: AbortSignal): Promise<void>;
}

/** Asks the model what to remember once nobody has written for a moment, and steps aside for everything else that is asked of the session. */
export interface QuietNudge extends AsyncDisposable {
  /** The events of a turn, as they are. When it was answered, the quiet begins. */
  follow<Result extends Outcome | undefined>(events: AsyncGenerator<AgentEvent, Result>): AsyncGenerator<AgentEvent, Result>;
  /** Ends the quiet; settles when nothing is asked any more. */
  stop(): Promise<void>;
}

/** Whoever asked one question and left is not held up, and whoever types on is not either. */
const QUIET_MS = 2_000;

export function createQuietNudge({ clock, interval, nudge }: QuietNudgeDeps): QuietNudge {
  let running: { readonly stop: AbortController; readonly over: Promise<void> } | undefined;
  const stop = async (): Promise<void> => {
    running?.stop.abort('message');
    await running?.over;
    running = undefined;
  };
  const begin = (): void => {
    if (interval === 0) return;
    const controller = new AbortController();
    const work = async (): Promise<void> => {
      await clock.sleep(QUIET_MS, controller.signal);
      if (!controller.signal.aborted) await nudge(controller.signal);
    };
    // A memory that was not asked for is no worse than that.
    running = { stop: controller, over: work().catch(() => undefined) };
  };
  return {
    stop,
    async *follow(events) {
      try {
        for (;;) {
          const { value, done } = await events.next();
          if (done !== true) {
            yield value;
            continue;
          }
          if (value?.type === 'answered') begin();
          return value;
        }
      } finally {
        // A consumer that leaves early leaves the turn as well.
        await endGenerator(events);
      }
    },
    [Symbol.asyncDispose]: stop,
  };
}
