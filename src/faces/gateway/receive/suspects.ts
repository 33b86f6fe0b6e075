import { readErrorCode } from '../../../base/errors.ts';
import type { Arrival } from '../../../contracts/gateway-store.ts';
import { isStoreError } from '../../../contracts/session-store.ts';

/**
 * Arrivals that may be what breaks the gateway. A process can die of anything while it holds a message, so none is put aside for
 * deaths alone: a suspect lets the others go first after each of them, and is given up when it was tried for long enough. The same
 * holds for errors, and trouble of the machine's is never held against a message.
 */
export interface Suspects {
  /** What is to be done with an arrival that was just taken: handle it, wait so long first, or give it up. */
  judge(row: Pick<Arrival, 'id' | 'at' | 'attempts'>, now: number): SuspectVerdict;
  /** It could not be handled: it waits so long, or is given up. */
  failed(row: Pick<Arrival, 'id'>, error: unknown, now: number): Exclude<SuspectVerdict, { type: 'handle' }>;
  /** It was handled: nothing is held against it any more. */
  handled(row: Pick<Arrival, 'id'>): void;
}
export type SuspectVerdict = { readonly type: 'handle' | 'give_up' } | { readonly type: 'wait'; readonly ms: number };

/** What this process met with one arrival. */
interface Failures {
  /** All of them, for the wait until the next attempt. */
  readonly all: number;
  /** Those that may be the arrival's own, and when the first of them was. */
  readonly own: number;
  readonly since: number;
}

/** Deaths with it in hand that make a suspect, and how long it is tried all the same. */
const SUSPECTED = 3;
const MAX_TRIED_MS = 10 * 60_000;
/** Waits after the third death, the fourth and so on. */
const WAITS_MS = [1_000, 5_000, 15_000, 60_000] as const;
/** Errors of its own after which it is given up, unless it was tried for less than that time. */
const MAX_FAILURES = 3;
/** Waits after the first error, the second and so on. */
const RETRIES_MS = [5_000, 5_000, 15_000, 60_000] as const;

export function createSuspects(): Suspects {
  const waited = new Set<string>();
  const failures = new Map<string, Failures>();
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
      return { type: 'wait', ms: selectWait(WAITS_MS, attempts - SUSPECTED) };
    },
    failed: ({ id }, error, now) => {
      const noted = addFailure(failures.get(id), error, now);
      failures.set(id, noted);
      if (noted.own < MAX_FAILURES || now - noted.since <= MAX_TRIED_MS) return { type: 'wait', ms: selectWait(RETRIES_MS, noted.all - 1) };
      forget(id);
      return { type: 'give_up' };
    },
    handled: ({ id }) => forget(id),
  };
}

function addFailure(before: Failures | undefined, error: unknown, now: number): Failures {
  const { all, own, since } = before ?? { all: 0, own: 0, since: now };
  if (isMachineTrouble(error)) return { all: all + 1, own, since };
  return { all: all + 1, own: own + 1, since: own === 0 ? now : since };
}

const selectWait = (waits: readonly number[], index: number): number => waits[Math.min(index, waits.length - 1)] ?? 0;

/** Codes of the system for what is scarce or broken, whatever the message is. */
const SCARCE: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM', 'EIO', 'EROFS']);

/** Whether the machine is in trouble, and the same message is fine as soon as that is over. */
export function isMachineTrouble(error: unknown): boolean {
  if (isStoreError(error, 'busy', 'full', 'io', 'read_only', 'newer') || SCARCE.has(readErrorCode(error))) return true;
  return error instanceof Error && error.cause !== undefined && isMachineTrouble(error.cause);
}
