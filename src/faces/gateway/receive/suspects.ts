import type { Arrival } from '../../../contracts/gateway-store.ts';

/**
 * Arrivals that may be what breaks the gateway. A process can die of anything while it holds a message, so none is put aside for
 * deaths alone: a suspect lets the others go first after each of them, and is given up when it was tried for long enough.
 */
export interface Suspects {
  /** What is to be done with an arrival that was just taken: handle it, wait so long first, or give it up. */
  judge(row: Pick<Arrival, 'id' | 'at' | 'attempts'>, now: number): SuspectVerdict;
  /** It could not be handled; whether that happened once too often here. */
  failed(row: Pick<Arrival, 'id'>): boolean;
  /** It was handled: nothing is held against it any more. */
  handled(row: Pick<Arrival, 'id'>): void;
}
export type SuspectVerdict = { readonly type: 'handle' | 'give_up' } | { readonly type: 'wait'; readonly ms: number };

/** Deaths with it in hand that make a suspect, and how long it is tried all the same. */
const SUSPECTED = 3;
const MAX_TRIED_MS = 10 * 60_000;
/** Waits after the third death, the fourth and so on. */
const WAITS_MS = [1_000, 5_000, 15_000, 60_000] as const;
/** An error in the same process is its own. */
const MAX_FAILURES = 3;

export function createSuspects(): Suspects {
  const waited = new Set<string>();
  const failures = new Map<string, number>();
  const forget = (id: string): void => {
    waited.delete(id);
    failures.delete(id);
  };
  return {
    judge: ({ id, at, attempts }, now) => {
      if (attempts < SUSPECTED || failures.has(id)) return { type: 'handle' };
      if (now - at > MAX_TRIED_MS) {
        forget(id);
        return { type: 'give_up' };
      }
      if (waited.has(id)) return { type: 'handle' };
      waited.add(id);
      return { type: 'wait', ms: WAITS_MS[Math.min(attempts - SUSPECTED, WAITS_MS.length - 1)] ?? 0 };
    },
    failed: ({ id }) => {
      const times = (failures.get(id) ?? 0) + 1;
      failures.set(id, times);
      if (times < MAX_FAILURES) return false;
      forget(id);
      return true;
    },
    handled: ({ id }) => forget(id),
  };
}
