/** Runs work side by side up to a number; what would get in each other's way goes one by one. */
export interface Lanes {
  run<Value>(alone: boolean, work: () => Promise<Value>): Promise<Value>;
}

export function openLanes(most: number): Lanes {
  let free = most;
  let last: Promise<unknown> = Promise.resolve();
  const waiting: (() => void)[] = [];
  const beside = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    try {
      return await work();
    } finally {
      // A place that is given on never becomes free in between.
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
  return {
    run: (alone, work) => {
      if (!alone) return beside(work);
      const done = last.then(() => beside(work));
      last = done.catch(() => undefined);
      return done;
    },
  };
}
