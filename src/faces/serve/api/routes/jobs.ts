import { isUsageError } from '../../../../base/errors.ts';
import type { JobMaker, JobView } from '../../../../contracts/services/jobs.ts';
import { requireJob } from '../request/access.ts';
import type { ApiContext, ApiKey, ApiRequest, ApiRoute } from '../http/contract.ts';
import { ApiError, createBadRequest, createNotFound, toJsonAnswer } from '../http/errors.ts';
import { readJobRequest } from '../request/job-request.ts';
import { readBody, readFlag, readQueryNumber, readText } from '../request/read-body.ts';
import { toJobObject, toJobRunObject } from '../wire/job.ts';

export const JOB_ROUTES: readonly ApiRoute[] = [
  { method: 'GET', path: '/api/jobs', about: 'scheduled jobs of this key', handle: listJobs },
  { method: 'POST', path: '/api/jobs', about: 'make a job', handle: addJob },
  { method: 'GET', path: '/api/jobs/{id}', about: 'one job', handle: readJob },
  { method: 'PATCH', path: '/api/jobs/{id}', about: 'change it', handle: changeJob },
  { method: 'DELETE', path: '/api/jobs/{id}', about: 'remove it', handle: removeJob },
  { method: 'POST', path: '/api/jobs/{id}/pause', about: 'pause it', handle: pauseJob },
  { method: 'POST', path: '/api/jobs/{id}/resume', about: 'let it go on', handle: resumeJob },
  { method: 'POST', path: '/api/jobs/{id}/run', about: 'run it as soon as possible', handle: runJob },
  { method: 'GET', path: '/api/jobs/{id}/runs', about: 'what came of it, latest first', handle: listRuns },
  { method: 'GET', path: '/api/jobs/{id}/runs/{run}', about: 'one run, with its result', handle: readRun },
];

/** A program that makes one after the other makes no more than these. */
const MAX_JOBS_OF_A_KEY = 100;
const MAX_LIST = 200;

const requireOwn = ({ params, key }: ApiRequest, context: ApiContext): Promise<JobView> => requireJob(params['id'] ?? '', key, context);

/** Jobs of the owner's key are the owner's own; another key makes its own. */
const makerOf = ({ isMain, name, toolsets }: ApiKey): JobMaker => ({
  by: 'program',
  ...(!isMain && { key: { name, ...(toolsets !== undefined && { toolsets }) } }),
});

/** What a person could mend at the command line, a program is told as well. */
async function tellUsage<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw isUsageError(error) ? createBadRequest('invalid_job', error.message) : error;
  }
}

const answerJob = (status: number, job: JobView) => toJsonAnswer(status, { job: toJobObject(job) });

async function listJobs({ key, query }: ApiRequest, { jobs }: ApiContext) {
  const all = ['true', '1'].includes(query.get('include_disabled') ?? '');
  const found = await jobs.list({ all, ...(!key.isMain && { key: key.name }) });
  return toJsonAnswer(200, { jobs: found.map(toJobObject) });
}

async function addJob(request: ApiRequest, context: ApiContext) {
  const { key } = request;
  const { jobs } = context;
  const body = readBody(request);
  const asked = await readJobRequest(body, key, context);
  const { schedule } = asked;
  if (schedule === undefined) throw createBadRequest('missing_value', '"schedule" is missing.', 'schedule');
  if (!key.isMain && (await jobs.list({ key: key.name })).length >= MAX_JOBS_OF_A_KEY)
    throw new ApiError(429, 'too_many_jobs', `This key has ${MAX_JOBS_OF_A_KEY} jobs. Remove one first.`);
  const isPaused = readFlag(body, 'enabled') === false;
  // What a key makes stays with it: chats are the owner's.
  const own = key.isMain ? {} : { deliver: ['local'] };
  const made = await tellUsage(() => jobs.add({ ...asked, ...own, schedule, ...(isPaused && { isPaused }) }, makerOf(key)));
  return answerJob(201, made);
}

async function readJob(request: ApiRequest, context: ApiContext) {
  return answerJob(200, await requireOwn(request, context));
}

async function changeJob(request: ApiRequest, context: ApiContext) {
  const { id, state } = await requireOwn(request, context);
  const { jobs } = context;
  const body = readBody(request);
  const asked = await readJobRequest(body, request.key, context);
  const isEnabled = readFlag(body, 'enabled');
  return await tellUsage(async () => {
    const changed = Object.keys(asked).length === 0 ? undefined : await jobs.change(id, asked, makerOf(request.key));
    if (isEnabled === false && state !== 'paused') return answerJob(200, await jobs.pause(id));
    if (isEnabled === true && state === 'paused') return answerJob(200, await jobs.resume(id));
    return answerJob(200, changed ?? (await jobs.show(id)));
  });
}

async function removeJob(request: ApiRequest, context: ApiContext) {
  const { id } = await requireOwn(request, context);
  await tellUsage(() => context.jobs.remove(id));
  return toJsonAnswer(200, { ok: true, id });
}

async function pauseJob(request: ApiRequest, context: ApiContext) {
  const { id } = await requireOwn(request, context);
  const why = readText(readBody(request), 'reason', 500);
  return answerJob(200, await tellUsage(() => context.jobs.pause(id, why)));
}

async function resumeJob(request: ApiRequest, context: ApiContext) {
  const { id } = await requireOwn(request, context);
  return answerJob(200, await tellUsage(() => context.jobs.resume(id)));
}

async function runJob(request: ApiRequest, context: ApiContext) {
  const { id } = await requireOwn(request, context);
  const { job, run, tickers } = await tellUsage(() => context.jobs.ask(id));
  // Without a process that runs jobs it waits for one.
  return toJsonAnswer(202, { job: toJobObject(job), run: toJobRunObject(run), is_served: tickers.length > 0 });
}

async function listRuns(request: ApiRequest, context: ApiContext) {
  const { id } = await requireOwn(request, context);
  const runs = await context.jobs.history({ job: id, limit: readQueryNumber(request, 'limit', 20, MAX_LIST) });
  return toJsonAnswer(200, { runs: runs.map(toJobRunObject) });
}

async function readRun(request: ApiRequest, context: ApiContext) {
  const { id } = await requireOwn(request, context);
  const wanted = request.params['run'] ?? '';
  const run = await context.jobs.showRun(wanted);
  if (run === undefined || run.jobId !== id) throw createNotFound('run', wanted);
  return toJsonAnswer(200, { run: toJobRunObject(run) });
}
