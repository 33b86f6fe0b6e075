import { toErrorMessage } from '../../base/errors.ts';
import type { Running } from '../../base/running.ts';
import { toVisibleLine } from '../../base/visible.ts';
import type { Job, JobRun, TakenRun } from '../../contracts/job-store.ts';
import { isStoreError } from '../../contracts/session-store.ts';
import { SUSPENDED } from '../../contracts/turn.ts';
import type { CronDeps } from './contract.ts';
import { clearLeftFolders } from './left-folders.ts';
import { runJob } from './run-job.ts';
import { listEarlier, planPass } from './schedule/misfire.ts';

/** Runs what is due, until it is closed. Several processes may: each instant is run by one of them. */
export interface CronTicker extends Running {
  /** There may be something new. */
  hint(): void;
}
export interface TickerOptions extends CronDeps {
  /** Which program it is part of: `gateway`. */
  readonly kind: string;
  /** Hears of every run that is over. */
  readonly onRun?: (run: JobRun) => void;
}

/** Looked for at least this often: clocks may be set, and machines sleep. */
const SLICE_MS = 10_000;
const TROUBLE_MS = 2_000;
/** Where nobody can ask whether a process lives, its runs are its own for so long after it was last heard of. */
const LEASE_MS = 60_000;

export function startTicker(options: TickerOptions): CronTicker {
  const { clock, log, kind, host } = options;
  const { jobs } = host.store;
  const stop = new AbortController();
  const draining = new AbortController();
  const tell = (run: JobRun): void => {
    log(describeRun(run));
    options.onRun?.(run);
  };
  const work = createWork({ ...options, onRun: tell }, stop.signal);
  let waiting = Promise.withResolvers<void>();
  const hint = (): void => waiting.resolve();
  const rest = async (ms: number): Promise<void> => {
    const slept = new AbortController();
    await Promise.race([waiting.promise, clock.sleep(ms, slept.signal)]);
    slept.abort();
  };
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted && !draining.signal.aborted) {
      waiting = Promise.withResolvers();
      try {
        await jobs.announce(kind, LEASE_MS);
        const begun = await work.round();
        if (begun === 0) await rest(work.isFull() ? SLICE_MS : Math.min(Math.max((await jobs.nextDue()) ?? SLICE_MS, 1), SLICE_MS));
      } catch (error) {
        log(`the store of jobs gave an error, and is tried again: ${toErrorMessage(error)}`);
        await clock.sleep(TROUBLE_MS, stop.signal);
      }
    }
  };
  work.onEnd(hint);
  const caring = startCare(options, stop.signal);
  const running = run();
  const following = follow(options, hint, stop.signal);
  const drain = async (ms: number): Promise<void> => {
    draining.abort();
    hint();
    await running;
    await work.idle(ms, clock);
  };
  return {
    get running() {
      return work.active();
    },
    hint,
    drain,
    [Symbol.asyncDispose]: async () => {
      // Turns are left where they are: the next process goes on with them.
      stop.abort(SUSPENDED);
      hint();
      await running;
      await work[Symbol.asyncDispose]();
      await following;
      await caring;
      await jobs.withdraw().catch(() => undefined);
    },
  };
}

const describeRun = ({ jobName, jobId, result, sessionId }: JobRun): string =>
  toVisibleLine(
    `job ${jobName} (${jobId}): ${result?.state === 'failed' ? `failed: ${result.why ?? ''}` : result?.isSilent === true ? 'nothing to report' : 'done'}${sessionId === undefined ? '' : `, session ${sessionId}`}`,
  );

const CARE_MS = 86_400_000;

/** Once a day what jobs left behind is removed. */
async function startCare(options: TickerOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clearLeftFolders(options);
    await options.clock.sleep(CARE_MS, signal);
  }
}

/** A hint that is missed is made up for by the next look. */
async function follow({ host, clock }: TickerOptions, hint: () => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const { type } of host.store.changes(signal)) if (type === 'jobs' || type === 'any') hint();
    } catch {
      await clock.sleep(TROUBLE_MS, signal);
    }
  }
}

/** Runs everything that is due now to its end; gives what came of it. */
export async function runDue(deps: CronDeps, signal: AbortSignal, only?: string): Promise<readonly JobRun[]> {
  const done: JobRun[] = [];
  const options = { ...deps, kind: '', onRun: (run: JobRun) => void done.push(run) };
  await using work = createWork(options, signal);
  for (;;) {
    // What could not be finished is left to the next who looks.
    const begun = signal.aborted || work.hasTrouble() ? 0 : await work.round(only);
    if (begun === 0 && work.active() === 0) return done;
    if (begun === 0) await work.next();
  }
}

interface CronWork extends AsyncDisposable {
  /** Begins what can be begun; gives how many. */
  round(only?: string): Promise<number>;
  active(): number;
  isFull(): boolean;
  /** A run was given back: it could not be finished here. */
  hasTrouble(): boolean;
  onEnd(hear: () => void): void;
  /** Settles when one of those that run is over, or none runs. */
  next(): Promise<void>;
  idle(ms: number, clock: CronDeps['clock']): Promise<void>;
}

function createWork(options: TickerOptions, signal: AbortSignal): CronWork {
  const { host, settings, onRun } = options;
  const { jobs } = host.store;
  const active = new Map<Promise<void>, TakenRun>();
  const most = settings['cron.max_parallel_jobs'];
  let hear = (): void => {};
  let hasTrouble = false;
  let lastLook = Number.POSITIVE_INFINITY;
  const begin = (taken: TakenRun): void => {
    const work = runJob(taken, options, signal)
      .then((over) => {
        if (over === undefined) hasTrouble = true;
        else onRun?.(over);
      })
      .finally(() => {
        active.delete(work);
        hear();
      });
    active.set(work, taken);
  };
  const renewing = setInterval(() => {
    if (active.size > 0)
      void jobs
        .renew(
          [...active.values()].map(({ claim }) => claim),
          LEASE_MS,
        )
        .catch(() => undefined);
  }, LEASE_MS / 3).unref();
  const takeDue = async (now: number): Promise<number> => {
    let begun = 0;
    for (const job of await jobs.due(most - active.size)) {
      const taken = await passJob(job, now, options);
      if (taken !== undefined) begin(taken);
      begun += taken === undefined ? 0 : 1;
    }
    return begun;
  };
  return {
    active: () => active.size,
    isFull: () => active.size >= most,
    hasTrouble: () => hasTrouble,
    onEnd: (each) => void (hear = each),
    round: async (only) => {
      if (active.size >= most) return 0;
      const left = await jobs.take({ leaseMs: LEASE_MS, limit: most - active.size, ...(only !== undefined && { runId: only }) });
      left.forEach(begin);
      if (only !== undefined) return left.length;
      const now = await jobs.now();
      if (now < lastLook) await takeBack(now, options);
      lastLook = now;
      return left.length + (await takeDue(now));
    },
    next: async () => void (active.size > 0 && (await Promise.race(active.keys()))),
    idle: async (ms, clock) => {
      const over = new AbortController();
      await Promise.race([Promise.all(active.keys()), clock.sleep(ms, over.signal)]);
      over.abort();
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(active.keys());
      clearInterval(renewing);
    },
  };
}

/** Moves a job past its instant; gives the run, if it has one and it is ours. */
async function passJob(job: Job, now: number, { host, settings, log }: CronDeps): Promise<TakenRun | undefined> {
  const { jobs } = host.store;
  try {
    const pass = planPass(job, now, settings['cron.misfire']);
    return pass === undefined ? undefined : (await jobs.pass(pass, LEASE_MS))?.taken;
  } catch (error) {
    if (isStoreError(error)) throw error;
    await pauseUnreadable(job, error, { host, log });
    return undefined;
  }
}

async function pauseUnreadable(
  { id, version, definition }: Job,
  error: unknown,
  { host, log }: Pick<CronDeps, 'host' | 'log'>,
): Promise<void> {
  const why = `its schedule cannot be read: ${toErrorMessage(error)}`;
  log(`job ${definition.name} (${id}) is paused: ${why}`);
  await host.store.jobs.change(id, version, { state: 'paused', nextAt: null, pausedWhy: why });
}

/** The clock was set back, or nobody has looked since the start: no job waits longer than its schedule says. */
async function takeBack(now: number, deps: CronDeps): Promise<void> {
  const { jobs } = deps.host.store;
  for (const job of await jobs.list({ states: ['scheduled'] })) {
    if (job.nextAt === undefined) continue;
    try {
      for (const at of listEarlier(job, now)) if (await jobs.advance(job.id, job.version, job.nextAt, at)) break;
    } catch (error) {
      if (isStoreError(error)) throw error;
      await pauseUnreadable(job, error, deps);
    }
  }
}
