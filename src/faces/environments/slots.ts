/** So many at a time, whoever asks: groups, evaluations, and the attempts within them. First come, first served. */
export interface Slots {
  /** Waits for room, then works. Throws without having begun once the signal is aborted. */
  run<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
}

export function createSlots(limit: number): Slots {
  let free = limit;
  const queue: (() => void)[] = [];
  const leave = (): void => {
    const next = queue.shift();
    if (next === undefined) free++;
    else next();
  };
  return {
    run: async (work, signal) => {
      signal.throwIfAborted();
      if (free > 0) free--;
      else await new Promise<void>((resolve) => void queue.push(resolve));
      try {
        signal.throwIfAborted();
        return await work();
      } finally {
        leave();
      }
    },
  };
}
