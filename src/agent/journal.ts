import type { Entry } from '../contracts/entry.ts';
import type { Change, Claim, SessionStore } from '../contracts/session-store.ts';

/** The one session a turn writes: its log in memory, kept equal to the store by writing nowhere else. */
export interface Journal extends AsyncDisposable {
  readonly sessionId: string;
  readonly store: SessionStore;
  readonly entries: readonly Entry[];
  commit(change: Change): Promise<readonly Entry[]>;
}

export async function openJournal(store: SessionStore, sessionId: string): Promise<Journal> {
  const claim: Claim = await store.claim(sessionId);
  const entries = [...(await store.entries(sessionId))];
  return {
    sessionId,
    store,
    entries,
    commit: async (change) => {
      const added = await store.commit(claim, change);
      entries.push(...added);
      return added;
    },
    [Symbol.asyncDispose]: () => store.release(claim),
  };
}
