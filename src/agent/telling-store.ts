import { postTo, stopFor, type SessionStops } from './inbox.ts';
import type { ObserveCommit } from '../contracts/commits.ts';
import type { PostedMessage } from '../contracts/host.ts';
import type { InboxItem, SessionStore } from '../contracts/session-store.ts';

export interface TellingStoreDeps {
  readonly stops: SessionStops;
  readonly posted: (message: PostedMessage) => void;
  /** Those who look on at commits, as they are at that moment. */
  readonly observers: ReadonlySet<ObserveCommit>;
}

/**
 * Whatever is posted through it, by a face, a chat, a process that ended or a tool, reaches who runs the session here, and is
 * told; and so is whatever was committed.
 */
export const createTellingStore = (store: SessionStore, { stops, posted, observers }: TellingStoreDeps): SessionStore => ({
  ...store,
  commit: async (claim, change) => {
    const entries = await store.commit(claim, change);
    for (const observe of observers) tryObserve(() => observe({ sessionId: claim.sessionId, change, entries }));
    return entries;
  },
  post: async (item) => tellPosted(await postTo(store, stops, item), posted),
  gateway: {
    ...store.gateway,
    admit: async (taken, admission) => {
      const result = await store.gateway.admit(taken, admission);
      stopFor(stops, result.item);
      tellPosted(result.item, posted);
      return result;
    },
  },
  runs: {
    ...store.runs,
    begin: async (run) => {
      const beginning = await store.runs.begin(run);
      if (beginning.type === 'begun') stopFor(stops, { sessionId: beginning.session.id, mode: 'queue' });
      return beginning;
    },
  },
});

function tellPosted(item: InboxItem, tell: (message: PostedMessage) => void): InboxItem {
  if (item.fate === undefined) tell({ sessionId: item.sessionId, itemId: item.id, mode: item.mode });
  return item;
}

/** Whoever looks on cannot undo what is durable. */
function tryObserve(observe: () => void): void {
  try {
    observe();
  } catch {
    // A figure is missed.
  }
}
