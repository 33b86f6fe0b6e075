import type { Entry } from '../../contracts/entry.ts';
import type { SessionStore } from '../../contracts/session-store.ts';

/** Long enough to open a session in; a log is not kept in memory for somebody who may come back. */
const KEPT_MS = 10_000;
/** As much as many short sessions that are at work at once; one log is known however long it is. */
const MAX_ENTRIES = 5_000;

interface RecentLog {
  readonly entries: readonly Entry[];
  readonly generation: number;
  readonly at: number;
}

/**
 * A store that remembers the logs it read last, for a moment: whoever opens a session reads it for its prompt, for the screen and
 * for the first turn. Logs only grow, so that what is new is read behind what is known. `generation` is another number when what
 * is known would have to be read anew.
 */
export function withRecentLog(store: SessionStore, generation: () => number): SessionStore {
  /** The one that was read last is the last of them. */
  const logs = new Map<string, RecentLog>();
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  const forget = (id: string): void => {
    count -= logs.get(id)?.entries.length ?? 0;
    logs.delete(id);
  };
  const forgetOld = (): void => {
    timer = undefined;
    for (const [id, { at }] of logs) if (at <= performance.now() - KEPT_MS) forget(id);
    if (logs.size > 0) timer = setTimeout(forgetOld, KEPT_MS / 2).unref();
  };
  const keep = (id: string, log: RecentLog): readonly Entry[] => {
    forget(id);
    for (const other of logs.keys()) {
      if (count + log.entries.length <= MAX_ENTRIES) break;
      forget(other);
    }
    logs.set(id, log);
    count += log.entries.length;
    timer ??= setTimeout(forgetOld, KEPT_MS).unref();
    return log.entries;
  };
  const forgetting =
    <Args extends readonly unknown[], Result>(work: (...args: Args) => Result) =>
    (...args: Args): Result => {
      clearTimeout(timer);
      timer = undefined;
      logs.clear();
      count = 0;
      return work(...args);
    };
  const { care } = store;
  return {
    ...store,
    entries: async (id, afterSeq = 0) => {
      if (afterSeq > 0) return store.entries(id, afterSeq);
      const now = generation();
      const recent = logs.get(id);
      const known = recent?.generation === now ? recent.entries : [];
      const fresh = await store.entries(id, known.at(-1)?.seq ?? 0);
      return keep(id, { generation: now, entries: fresh.length === 0 ? known : [...known, ...fresh], at: performance.now() });
    },
    remove: forgetting((id) => store.remove(id)),
    adopt: forgetting((session) => store.adopt(session)),
    ...(care !== undefined && { care: { ...care, repair: forgetting(() => care.repair()) } }),
    [Symbol.asyncDispose]: forgetting(() => store[Symbol.asyncDispose]()),
  };
}
