import type { StoreChange } from '../../../contracts/gateway-store.ts';

/** Who wants to hear of changes, and how they are told. */
export interface ChangeHints {
  tell(change: StoreChange): void;
  listen(signal: AbortSignal, concerns?: ConcernsListener): AsyncIterable<StoreChange>;
  close(): void;
}

type ConcernsListener = (change: StoreChange) => boolean;

/** More that one listener has not heard yet than this is told as one: look everywhere. */
const MAX_UNHEARD = 1000;

/** `watchOthers` tells of what other processes wrote, and runs while somebody listens. */
export function createChangeHints(watchOthers: (tell: () => void) => Disposable): ChangeHints {
  const listeners = new Set<ChangeListener>();
  let watching: Disposable | undefined;
  const tell = (change: StoreChange): void => listeners.forEach((listener) => listener.hear(change));
  const leave = (listener: ChangeListener): void => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    watching?.[Symbol.dispose]();
    watching = undefined;
  };
  return {
    tell,
    listen: async function* (signal, concerns = () => true) {
      const listener = createChangeListener(concerns);
      const stop = () => listener.close();
      if (signal.aborted) return;
      listeners.add(listener);
      signal.addEventListener('abort', stop, { once: true });
      try {
        watching ??= watchOthers(() => tell({ type: 'any' }));
        for (let heard = await listener.next(); heard !== undefined; heard = await listener.next()) yield* heard;
      } finally {
        signal.removeEventListener('abort', stop);
        leave(listener);
      }
    },
    close: () => listeners.forEach((listener) => listener.close()),
  };
}

interface ChangeListener {
  hear(change: StoreChange): void;
  /** What was told since the last time, each once; `undefined` when it is over. */
  next(): Promise<readonly StoreChange[] | undefined>;
  close(): void;
}

function createChangeListener(concerns: ConcernsListener): ChangeListener {
  const unheard = new Map<string, StoreChange>();
  let wake = Promise.withResolvers<void>();
  let isOpen = true;
  return {
    hear: (change) => {
      if (change.type !== 'any' && !concerns(change)) return;
      const told: StoreChange = unheard.size < MAX_UNHEARD ? change : { type: 'any' };
      if (told !== change) unheard.clear();
      unheard.set(JSON.stringify(told), told);
      wake.resolve();
    },
    next: async () => {
      await wake.promise;
      if (!isOpen) return undefined;
      wake = Promise.withResolvers();
      const heard = [...unheard.values()];
      unheard.clear();
      return heard;
    },
    close: () => {
      isOpen = false;
      wake.resolve();
    },
  };
}
