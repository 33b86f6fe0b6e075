import type { ChatTarget } from '../../contracts/gateway-store.ts';
import type { Job, JobRun, JobStore } from '../../contracts/job-store.ts';
import type { JobView, RunView } from '../../contracts/services/jobs.ts';
import { describeSchedule, formatInstant } from './schedule/describe.ts';

const iso = (at: number): string => new Date(at).toISOString();

/** Jobs and runs as they are shown. */
export async function viewJob(job: Job, jobs: Pick<JobStore, 'runs'>, zone: string): Promise<JobView> {
  const { definition, nextAt, createdAt, version: _version, ...rest } = job;
  const { schedule, origin, ...what } = definition;
  const [last] = await jobs.runs({ jobId: job.id, limit: 1 });
  return {
    ...rest,
    ...what,
    schedule: describeSchedule(schedule, zone),
    timing: schedule,
    ...(origin !== undefined && { origin: formatOrigin(origin) }),
    createdAt: iso(createdAt),
    ...(nextAt !== undefined && { nextAt: iso(nextAt), nextWords: formatInstant(nextAt, zone) }),
    ...(last !== undefined && { lastRun: viewRun(last, zone) }),
  };
}

const formatOrigin = ({ platform, chatId, threadId }: ChatTarget): string =>
  `${platform}:${chatId}${threadId === undefined ? '' : `:${threadId}`}`;

export function viewRun(run: JobRun, zone: string): RunView {
  const { id, jobId, jobName, state, trigger, instant, begunAt, overAt, sessionId, missed, result } = run;
  const { state: _state, ...said } = result ?? {};
  return {
    id,
    jobId,
    jobName,
    state,
    trigger,
    dueAt: iso(instant),
    dueWords: formatInstant(instant, zone),
    ...(begunAt !== undefined && { begunAt: iso(begunAt) }),
    ...(overAt !== undefined && { overAt: iso(overAt) }),
    ...(sessionId !== undefined && { sessionId }),
    ...(missed !== undefined && { missed }),
    ...said,
  };
}
