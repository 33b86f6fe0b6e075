/** Lets so many in at once; the others wait in their order. */
export interface Turnstile {
  /** Settles when there is room, or at once when the signal aborts: whoever was told to stop needs no more of it. */
  enter(signal: AbortSignal): Promise<void>;
  leave(): void;
  /** For somebody inside who only waits: another may come in meanwhile. Comes back without waiting. */
  outside<Value>(wait: () => Promise<Value>): Promise<Value>;
}

export function createTurnstile(most: number): Turnstile {
  let inside = 0;
  const waiting = new Set<() => void>();
  const admit = (): void => {
    for (const enter of waiting) {
      if (inside >= most) return;
      enter();
    }
  };
  const leave = (): void => {
    inside--;
    admit();
  };
  return {
    enter: (signal) =>
      new Promise((resolve) => {
        const enter = (): void => {
          if (!waiting.delete(enter)) return;
          signal.removeEventListener('abort', enter);
          inside++;
          resolve();
        };
        waiting.add(enter);
        signal.addEventListener('abort', enter, { once: true });
        if (signal.aborted) enter();
        else admit();
      }),
    leave,
    outside: async (wait) => {
      leave();
      try {
        return await wait();
      } finally {
        inside++;
      }
    },
  };
}
