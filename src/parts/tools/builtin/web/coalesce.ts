interface SharedWork<Value> {
  readonly work: Promise<Value>;
  readonly stop: AbortController;
  waiting: number;
  /** When it was through; `undefined` while it runs. */
  doneAt?: number;
}
export interface CoalesceOptions {
  readonly ttlMs: number;
  readonly most: number;
  readonly now: () => number;
}
export type RunOnce<Value> = (key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<Value>) => Promise<Value>;

/**
 * The same question asked twice at once is asked once, and not again while its answer is fresh. Who asks may leave: the
 * work goes on for the others and stops when nobody waits. A failure is nobody's answer for later.
 */
export function coalesce<Value>({ ttlMs, most, now }: CoalesceOptions): RunOnce<Value> {
  const known = new Map<string, SharedWork<Value>>();
  const begin = (key: string, work: (signal: AbortSignal) => Promise<Value>): SharedWork<Value> => {
    const stop = new AbortController();
    const shared: SharedWork<Value> = { work: work(stop.signal), stop, waiting: 0 };
    const forget = (): void => void (known.get(key) === shared && known.delete(key));
    shared.work.then(() => (shared.doneAt = now()), forget);
    stop.signal.addEventListener('abort', forget);
    known.set(key, shared);
    trim(known, most);
    return shared;
  };
  return async (key, signal, work) => {
    signal.throwIfAborted();
    const found = known.get(key);
    const fresh = found !== undefined && (found.doneAt === undefined || now() - found.doneAt < ttlMs);
    return wait(fresh ? found : begin(key, work), signal);
  };
}

async function wait<Value>(shared: SharedWork<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const leave = () => reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  shared.waiting++;
  try {
    return await Promise.race([shared.work, promise]);
  } finally {
    signal.removeEventListener('abort', leave);
    shared.waiting--;
    if (shared.waiting === 0 && shared.doneAt === undefined) shared.stop.abort();
  }
}

/** The oldest answers go first; what still runs stays. */
function trim<Value>(known: Map<string, SharedWork<Value>>, most: number): void {
  for (const [key, { doneAt }] of known) {
    if (known.size <= most) return;
    if (doneAt !== undefined) known.delete(key);
  }
}
