/** What comes of some work, or nothing once the signal has been aborted for so long: whoever stops does not wait for books. */
export async function waitUnlessAborted<Value>(work: Promise<Value>, signal: AbortSignal, graceMs = 0): Promise<Value | undefined> {
  const stopped = Promise.withResolvers<undefined>();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => (timer = setTimeout(() => stopped.resolve(undefined), graceMs));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, stopped.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** All of them. When some fail the first failure is thrown, as soon as none is under way any more. */
export async function waitForAll<Value>(works: readonly Promise<Value>[]): Promise<readonly Value[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}

/** Waits for something, but no longer than this; says whether it came. */
export async function waitAtMost(event: Promise<unknown>, ms: number): Promise<boolean> {
  const enough = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => enough.resolve(false), ms);
  try {
    return await Promise.race([event.then(() => true), enough.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** An answer, or the given error when it does not come in time or `stop` is aborted; the signal tells the work that nobody waits any more. */
export async function runWithTimeout<Value>(
  work: (signal: AbortSignal) => Value | Promise<Value>,
  ms: number,
  late: Error,
  stop?: AbortSignal,
): Promise<Value> {
  const deadline = new AbortController();
  const over = Promise.withResolvers<never>();
  const end = (): void => {
    over.reject(late);
    deadline.abort(late);
  };
  const timer = setTimeout(end, ms);
  stop?.addEventListener('abort', end, { once: true });
  if (stop?.aborted === true) end();
  try {
    return await Promise.race([Promise.try(work, deadline.signal), over.promise]);
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener('abort', end);
  }
}

/** A time-out that stands still as long as somebody holds it. */
export function startHoldableTimeout(ms: number, onTime: () => void): { hold(): () => void; clear(): void } {
  let [left, since, holders, over] = [ms, performance.now(), 0, false];
  let timer = setTimeout(onTime, left);
  const release = () => {
    holders -= 1;
    if (over || holders > 0) return;
    since = performance.now();
    timer = setTimeout(onTime, left);
  };
  return {
    hold: () => {
      if (holders === 0) left -= performance.now() - since;
      holders += 1;
      clearTimeout(timer);
      return release;
    },
    clear: () => {
      over = true;
      clearTimeout(timer);
    },
  };
}
