/** How much a program holds at one moment. */
export interface UseLook {
  /** Other words than at the look before when it did something meanwhile. */
  readonly activity: string;
  /** What is beyond its bounds, in words for the owner. */
  readonly excess?: string;
}

/** Between two looks while it does something, and while it rests. What it takes in between is what it can take beyond its bounds. */
const WORKING_MS = 50;
const RESTING_MS = 1_000;
/** A look takes at most this part of the time. */
const SHARE = 10;

export interface UseWatch {
  /** It was asked something: the next look comes soon. */
  expectWork(): void;
  stop(): void;
}

/** Looks at what programs hold as long as they run. The system bounds each of them; all of them together, only this does. */
export function watchUse(subject: { look(): Promise<UseLook> }, onExcess: (excess: string) => void): UseWatch {
  let [activity, isStopped, pause, soonest] = ['', false, WORKING_MS, WORKING_MS];
  let timer: NodeJS.Timeout | undefined;
  const wait = (ms: number): void => {
    if (isStopped) return;
    pause = ms;
    timer = setTimeout(() => void look(), ms).unref();
  };
  const look = async (): Promise<void> => {
    timer = undefined;
    const before = performance.now();
    const seen = await subject.look().catch(() => ({ activity: '', excess: 'nobody can see what it holds' }));
    const isWorking = seen.activity !== activity;
    activity = seen.activity;
    if (isStopped) return;
    if (seen.excess !== undefined) return onExcess(seen.excess);
    soonest = Math.max(WORKING_MS, (performance.now() - before) * SHARE);
    wait(isWorking ? soonest : Math.max(RESTING_MS, soonest));
  };
  wait(WORKING_MS);
  return {
    expectWork: () => {
      if (timer === undefined || pause <= soonest) return;
      clearTimeout(timer);
      wait(soonest);
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
