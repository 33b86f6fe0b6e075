import type { PlatformConnection } from '../../../contracts/platform-adapter.ts';
import type { LinkClock } from './contract.ts';

/** What was received by one connection and when. Sends do not count. */
export interface Hearing {
  /** The next batch is asked for. */
  ask(): void;
  commit(work: () => Promise<void>): Promise<void>;
  /** The commit that is under way, if any. Never rejects. */
  committing(): Promise<unknown>;
  /** What was missed has been fetched. */
  goLive(): void;
  isLive(): boolean;
  /** How long the service lets us wait for anything. While a batch is committed, it is the service that waits. */
  waitedMs(): number;
  /** How long it lets us wait for a batch of what was missed. */
  stuckMs(): number;
  /** It is live, and nothing was received by it yet, not even a greeting. */
  isFirstMissing(): boolean;
  /** Since something was received. */
  silentMs(): number;
  /** From the connection to the last thing that was received. */
  heldMs(): number;
}

export function createHearing(connection: PlatformConnection, connectStart: number, clock: LinkClock): Hearing {
  const since = clock.steady();
  let [isLive, askedAt, batchAt, liveAt] = [false, since, -Infinity, -Infinity];
  let committing: Promise<void> | undefined;
  const heardAt = () => Math.max(connection.progress(), batchAt);
  return {
    ask: () => void (askedAt = clock.steady()),
    commit: async (work) => {
      batchAt = clock.steady();
      if (isLive) liveAt = batchAt;
      committing = work();
      try {
        await committing;
      } finally {
        committing = undefined;
      }
    },
    committing: () => Promise.allSettled([committing]),
    goLive: () => void (isLive = true),
    isLive: () => isLive,
    waitedMs: () => (committing === undefined ? clock.steady() - Math.max(askedAt, heardAt()) : 0),
    stuckMs: () => (committing === undefined && !isLive ? clock.steady() - askedAt : 0),
    isFirstMissing: () => isLive && Math.max(connection.progress(), liveAt) < connectStart,
    silentMs: () => clock.steady() - Math.max(heardAt(), connectStart),
    heldMs: () => Math.max(0, heardAt() - since),
  };
}
