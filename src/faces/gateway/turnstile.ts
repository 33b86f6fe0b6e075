/** Lets so many in at once; the others wait in their order. */
export interface Turnstile {
  /** Settles when there is room, or at once when the signal aborts: whoever was told to stop needs no more of it. */
  enter(signal: AbortSignal): Promise<void>;
  /** Comes back from a break without waiting. */
  reenter(): void;
  leave(): void;
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
    reenter: () => void inside++,
    leave: () => {
      inside--;
      admit();
    },
  };
}
