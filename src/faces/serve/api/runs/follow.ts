import { waitAtMost, waitUnlessAborted } from '../../../../base/waits.ts';
import type { RunEvent, RunStore } from '../../../../contracts/run-store.ts';
import { isFinalEvent } from './run-events.ts';

/** Who waits for more of which run. */
export interface RunNews {
  tell(runIds: readonly string[]): void;
  /** Another process may have told something of any of them. */
  tellAll(): void;
  /** The events of a run behind a number, as they are kept, until it is over or the signal aborts. */
  follow(runId: string, after: number, signal: AbortSignal): AsyncGenerator<RunEvent, void>;
}

const PAGE = 500;
/** What another process tells is looked for this often. */
const LOOK_MS = 1_000;

export function createRunNews(runs: Pick<RunStore, 'events' | 'find'>): RunNews {
  const waiting = new Map<string, Set<() => void>>();
  const listen = (runId: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const all = waiting.get(runId) ?? new Set();
    waiting.set(runId, all.add(resolve));
    return {
      promise,
      [Symbol.dispose]: () => {
        all.delete(resolve);
        if (all.size === 0 && waiting.get(runId) === all) waiting.delete(runId);
      },
    };
  };
  return {
    tellAll: () => {
      for (const all of waiting.values()) for (const wake of all) wake();
    },
    tell: (runIds) => {
      for (const id of runIds) for (const wake of waiting.get(id) ?? []) wake();
    },
    follow: async function* (runId, after, signal) {
      let last = after;
      while (!signal.aborted) {
        // Before it is read: what is kept in between is not missed.
        using more = listen(runId);
        const page = await runs.events(runId, last, PAGE);
        for (const event of page) {
          yield event;
          if (isFinalEvent(event)) return;
          last = event.seq;
        }
        if (page.length === PAGE) continue;
        const heard = await waitUnlessAborted(waitAtMost(more.promise, LOOK_MS), signal);
        // Its events may be gone while somebody waits for them.
        if (
          heard === false &&
          page.length === 0 &&
          (await runs.find(runId))?.endedAt !== undefined &&
          (await runs.events(runId, last, 1)).length === 0
        )
          return;
      }
    },
  };
}
