import type { LinkClock } from './contract.ts';

/** What comes of some work, or `undefined` when it does not come in time. */
export async function waitWithin<Value>(
  clock: LinkClock,
  work: Promise<Value>,
  ms: number,
): Promise<{ readonly value: Value } | undefined> {
  const done = new AbortController();
  try {
    return await Promise.race([work.then((value) => ({ value })), clock.sleep(ms, done.signal).then(() => undefined)]);
  } finally {
    done.abort();
  }
}

/**
 * Sleeps, and tells how much later it woke up than it should have. While a computer sleeps the steady clock stands still on
 * some systems and the clock on the wall goes on on all: the one that went further is right.
 */
export async function sleepNoticing(clock: LinkClock, ms: number, signal: AbortSignal): Promise<number> {
  const [wall, steady] = [clock.now(), clock.steady()];
  await clock.sleep(ms, signal);
  return Math.max(clock.now() - wall, clock.steady() - steady) - ms;
}

/** Waits so long by either clock, in steps of at most `step`: time that the computer slept through counts. */
export async function pause(clock: LinkClock, ms: number, step: number, signal: AbortSignal): Promise<void> {
  for (let left = ms; left > 0 && !signal.aborted;) {
    const slept = Math.min(left, step);
    left -= slept + Math.max(0, await sleepNoticing(clock, slept, signal));
  }
}

/** Resolves when the signal aborts. Only for signals that live no longer than whoever waits. */
export const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
