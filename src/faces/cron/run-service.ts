import { UsageError } from '../../base/errors.ts';
import { toVisibleLine } from '../../base/visible.ts';
import type { AskRunOptions, Job, JobRun, JobStore } from '../../contracts/job-store.ts';
import type { CronStatus, JobService, RunView, TickerView } from '../../contracts/services/jobs.ts';
import { SUSPENDED } from '../../contracts/turn.ts';
import type { CronDeps } from './contract.ts';
import { viewJob, viewRun } from './job-views.ts';
import { clearLeftFolders } from './left-folders.ts';
import { readOutput } from './output.ts';
import { formatInstant } from './schedule/describe.ts';
import { skipPassed } from './skip-passed.ts';
import { runDue } from './ticker.ts';

export interface RunServiceDeps {
  readonly store: { readonly jobs: JobStore };
  /** The profile's folder. */
  readonly root: string;
  readonly zone: string;
  /** What it takes to run jobs in this process; opened when one is to be run here. */
  readonly openRunner: () => Promise<CronDeps>;
}

const LOOK_MS = 200;

/** What of the service is about runs. */
export function createRunService({
  store,
  zone,
  root,
  openRunner,
}: RunServiceDeps): Pick<JobService, 'ask' | 'history' | 'showRun' | 'status' | 'runNow' | 'runDue' | 'passOver'> {
  const { jobs } = store;
  const ask = async (ref: string, options?: AskRunOptions): Promise<{ readonly job: Job; readonly run: JobRun }> => {
    const job = await findOneJob(ref, jobs);
    const run = await jobs.ask(job.id, options);
    if (run === undefined) throw noJob(ref);
    return { job, run };
  };
  const viewWhole = (run: JobRun): RunView => {
    const text = run.result?.output === undefined ? undefined : readOutput(root, run.result.output);
    return { ...viewRun(run, zone), ...(text !== undefined && { text }) };
  };
  return {
    ask: async (ref) => {
      // Nobody waits for this very run, so one that has not begun will do: a program may ask in a loop.
      const { job, run } = await ask(ref, { joins: true });
      return { job: await viewJob(job, jobs, zone), run: viewRun(run, zone), tickers: await viewTickers(jobs) };
    },
    history: async ({ job, limit }) => {
      const jobId = job === undefined ? undefined : ((await findHistory(job, jobs)) ?? (await findOneJob(job, jobs)).id);
      return (await jobs.runs({ limit, ...(jobId !== undefined && { jobId }) })).map((run) => viewRun(run, zone));
    },
    showRun: async (id) => (await jobs.runs({ runId: id })).map(viewWhole)[0],
    status: () => readCronStatus(jobs, zone),
    runNow: async (ref, signal) => {
      const { run } = await ask(ref);
      const runner = await openRunner();
      return viewWhole(await runToEnd(run, runner, signal));
    },
    runDue: async (signal) => {
      const runner = await openRunner();
      const runs = await runDue(runner, suspendWith(signal));
      if (!signal.aborted) await clearLeftFolders(runner);
      return runs.map((run) => viewRun(run, zone));
    },
    passOver: async () => Promise.all((await skipPassed(jobs)).map((job) => viewJob(job, jobs, zone))),
  };
}

/** Only what tells a person which process it is. */
const viewTickers = async (jobs: JobStore): Promise<readonly TickerView[]> =>
  (await jobs.tickers()).map(({ kind, pid, host, since, msSinceLook }) => ({
    kind,
    pid,
    host,
    since: new Date(since).toISOString(),
    msSinceLook,
  }));

export async function readCronStatus(jobs: JobStore, zone: string): Promise<CronStatus> {
  const all = await jobs.list({ states: ['scheduled', 'paused'] });
  const scheduled = all.filter(({ state }) => state === 'scheduled');
  const [tickers, running] = [await viewTickers(jobs), await jobs.runs({ states: ['running', 'waiting'] })];
  const [next] = scheduled.filter(({ nextAt }) => nextAt !== undefined).toSorted((one, other) => (one.nextAt ?? 0) - (other.nextAt ?? 0));
  return {
    ok: tickers.length > 0 || (scheduled.length === 0 && running.length === 0),
    tickers,
    jobs: { scheduled: scheduled.length, paused: all.length - scheduled.length },
    running: running.map((run) => viewRun(run, zone)),
    ...(next !== undefined && { next: await viewJob(next, jobs, zone) }),
    failing: await Promise.all(all.filter(({ failures }) => failures > 0).map((job) => viewJob(job, jobs, zone))),
    zone,
  };
}

/** A stop leaves runs where they are: whoever runs jobs next goes on with them. */
function suspendWith(signal: AbortSignal): AbortSignal {
  const stop = new AbortController();
  if (signal.aborted) stop.abort(SUSPENDED);
  signal.addEventListener('abort', () => stop.abort(SUSPENDED), { once: true });
  return stop.signal;
}

/**
 * Runs it as soon as no other run of its job is under way. One that its process left behind is finished first: nobody else may come.
 * Somebody else may be quicker to take either; then this waits for them.
 */
async function runToEnd(run: JobRun, runner: CronDeps, signal: AbortSignal): Promise<JobRun> {
  const { host, clock, log, zone } = runner;
  const { jobs } = host.store;
  const stop = suspendWith(signal);
  for (let waitsFor = run.id; ;) {
    const [latest] = await jobs.runs({ runId: run.id });
    if (latest === undefined) throw new UsageError(`job ${toVisibleLine(run.jobName)} was removed before this run began.`);
    if (latest.overAt !== undefined || signal.aborted) return latest;
    const [next = latest] = await jobs.runs({ jobId: run.jobId, states: ['running'], limit: 1 });
    if ((await runDue(runner, stop, next.id)).length > 0) continue;
    if (next.id !== waitsFor && next.id !== run.id)
      log(
        `job ${run.jobName} (${run.jobId}): its run of ${formatInstant(next.instant, zone)} is under way. This one begins when it is over.`,
      );
    waitsFor = next.id;
    await clock.sleep(LOOK_MS, signal);
  }
}

/** The ledger outlives the job: an id in full is known by its runs. */
const findHistory = async (ref: string, jobs: Pick<JobStore, 'runs'>): Promise<string | undefined> =>
  (await jobs.runs({ jobId: ref, limit: 1 }))[0]?.jobId;

const noJob = (ref: string): UsageError => new UsageError(`there is no job ${toVisibleLine(ref)}; hermes cron list --all shows them.`);

export async function findOneJob(ref: string, jobs: Pick<JobStore, 'find'>): Promise<Job> {
  const [one, ...others] = await jobs.find(ref.trim());
  if (one === undefined) throw noJob(ref);
  if (others.length > 0)
    throw new UsageError(
      `${toVisibleLine(ref)} could be ${[one, ...others]
        .slice(0, 5)
        .map(({ id }) => id)
        .join(', ')}; name one of them by its id.`,
    );
  return one;
}
