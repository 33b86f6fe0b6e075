import type { Entry } from '../../contracts/entry.ts';
import type { SessionStore } from '../../contracts/session-store.ts';

/** Long enough to open a session in; a log is not kept in memory for somebody who may come back. */
const KEPT_MS = 10_000;

interface RecentLog {
  readonly id: string;
  readonly entries: readonly Entry[];
  readonly generation: number;
}

/**
 * A store that remembers the log it read last, for a moment: whoever opens a session reads it for its prompt, for the screen and
 * for the first turn. Logs only grow, so that what is new is read behind what is known. `generation` is another number when what
 * is known would have to be read anew.
 */
export function withRecentLog(store: SessionStore, generation: () => number): SessionStore {
  let recent: RecentLog | undefined;
  let timer: NodeJS.Timeout | undefined;
  const forget = (): void => {
    clearTimeout(timer);
    recent = undefined;
  };
  const keep = (log: RecentLog): readonly Entry[] => {
    forget();
    recent = log;
    timer = setTimeout(forget, KEPT_MS).unref();
    return log.entries;
  };
  const forgetting =
    <Args extends readonly unknown[], Result>(work: (...args: Args) => Result) =>
    (...args: Args): Result => {
      forget();
      return work(...args);
    };
  const { care } = store;
  return {
    ...store,
    entries: async (id, afterSeq = 0) => {
      if (afterSeq > 0) return store.entries(id, afterSeq);
      const now = generation();
      const known = recent?.id === id && recent.generation === now ? recent.entries : [];
      const fresh = await store.entries(id, known.at(-1)?.seq ?? 0);
      return keep({ id, generation: now, entries: fresh.length === 0 ? known : [...known, ...fresh] });
    },
    remove: forgetting((id) => store.remove(id)),
    adopt: forgetting((session) => store.adopt(session)),
    ...(care !== undefined && { care: { ...care, repair: forgetting(() => care.repair()) } }),
    [Symbol.asyncDispose]: forgetting(() => store[Symbol.asyncDispose]()),
  };
}
