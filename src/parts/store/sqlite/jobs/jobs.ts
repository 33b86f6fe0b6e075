import type { Job, JobRun, JobStore } from '../../../../contracts/job-store.ts';
import type { GatewayBase } from '../gateway/base.ts';
import { changeJob, findJobs, insertJob, JOB_COLUMNS, listJobs, removeJob, toJob, type JobRow } from './definitions.ts';
import { beginScript, finishRun, startRun } from './finish.ts';
import { advanceJob, askForRun, passInstant } from './pass.ts';
import { listRuns } from './run-rows.ts';
import { listFree, releaseRun, renewRuns, takeRuns } from './take.ts';
import { announceTicker, listTickers, withdrawTicker } from './tickers.ts';

/** Every method is one transaction. */
export const openJobStore = (base: GatewayBase): JobStore => ({
  now: async () => base.now(),
  ...definitions(base),
  ...instants(base),
  ...runs(base),
  ...tickers(base),
});

type JobStorePart<Names extends keyof JobStore> = Pick<JobStore, Names>;

function definitions({ db, now, tell }: GatewayBase): JobStorePart<'add' | 'list' | 'find' | 'change' | 'remove'> {
  const write = async <Result>(tried: string, work: () => Result): Promise<Result> => {
    const result = await db.write(tried, work);
    tell({ type: 'jobs' });
    return result;
  };
  return {
    add: (job) => write('add a job', () => insertJob(db, job, now())),
    list: (filter = {}) => db.read('list the jobs', () => listJobs(db, filter)),
    find: (ref) => db.read('find a job', () => findJobs(db, ref)),
    change: (id, version, change) => write(`change job ${id}`, () => changeJob(db, id, version, change)),
    remove: (id) => write(`remove job ${id}`, () => removeJob(db, id)),
  };
}

const NOT_RUNNING = `NOT EXISTS (SELECT 1 FROM job_runs WHERE job_runs.job_id = jobs.id AND job_runs.over_at IS NULL AND job_runs.state = 'running')`;
const WAITS = `state = 'scheduled' AND next_at IS NOT NULL AND ${NOT_RUNNING}`;

function instants({ db, now, me, tell }: GatewayBase): JobStorePart<'due' | 'pass' | 'advance' | 'ask' | 'nextDue'> {
  return {
    due: (limit) =>
      db.read('look for jobs that are due', (): Job[] => {
        const sql = `SELECT ${JOB_COLUMNS} FROM jobs WHERE next_at <= ? AND ${WAITS} ORDER BY next_at, n LIMIT ?`;
        return db.all<JobRow>(sql, now(), limit).map(toJob);
      }),
    pass: (pass, leaseMs) => db.write(`claim a run of job ${pass.jobId}`, () => passInstant(db, pass, { me: me(), now: now(), leaseMs })),
    advance: (id, version, from, to) => db.write(`set job ${id} to an earlier time`, () => advanceJob(db, id, version, from, to)),
    ask: async (jobId, options = {}) => {
      const run = await db.write(`ask for a run of job ${jobId}`, (): JobRun | undefined => {
        const runId = askForRun(db, jobId, options, now());
        return runId === undefined ? undefined : listRuns(db, { runId })[0];
      });
      tell({ type: 'jobs' });
      return run;
    },
    nextDue: () =>
      db.read('look for the next job', () => {
        if (listFree(db, { me: me(), now: now() }).length > 0) return 0;
        const at = db.get<{ at: number | null }>(`SELECT min(next_at) AS at FROM jobs WHERE ${WAITS}`)?.at ?? undefined;
        return at === undefined ? undefined : Math.max(0, at - now());
      }),
  };
}

function runs({
  db,
  now,
  me,
  tell,
  log,
}: GatewayBase): JobStorePart<'take' | 'renew' | 'release' | 'beginScript' | 'start' | 'finish' | 'runs'> {
  const holder = (leaseMs: number) => ({ me: me(), now: now(), leaseMs });
  return {
    take: async (options) => {
      // Most looks find nothing, and they take no lock.
      if ((await db.read('look for runs', () => listFree(db, holder(0), options.runId))).length === 0) return [];
      return db.write('take runs', () => takeRuns(db, options, holder(options.leaseMs)));
    },
    renew: (claims, leaseMs) => db.write('renew runs', () => renewRuns(db, claims, now() + leaseMs), 'with_next'),
    release: (claim) => db.write(`give back run ${claim.runId}`, () => releaseRun(db, claim)),
    beginScript: (claim, script) => db.write(`start the script of run ${claim.runId}`, () => beginScript(db, claim, script)),
    start: (claim, item) => db.write(`start run ${claim.runId}`, () => startRun(db, claim, item, log)),
    finish: async (claim, result, deliveries = []) => {
      const run = await db.write(`finish run ${claim.runId}`, () => finishRun(db, claim, result, deliveries, now()));
      tell({ type: 'jobs' });
      if (deliveries.length > 0) tell({ type: 'work', kind: 'delivery' });
      return run;
    },
    runs: (filter = {}) => db.read('read what jobs did', () => listRuns(db, filter)),
  };
}

const tickers = ({ db, now, me }: GatewayBase): JobStorePart<'announce' | 'withdraw' | 'tickers'> => ({
  announce: (kind, leaseMs) => db.write('say who runs jobs', () => announceTicker(db, kind, leaseMs, me(), now()), 'with_next'),
  withdraw: () => db.write('say who runs jobs', () => withdrawTicker(db, me()), 'with_next'),
  tickers: () => db.read('look who runs jobs', () => listTickers(db, me(), now())),
});
