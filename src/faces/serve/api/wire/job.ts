import type { JsonObject } from '../../../../base/json-types.ts';
import type { JobSchedule } from '../../../../contracts/job-store.ts';
import type { JobView, RunView } from '../../../../contracts/services/jobs.ts';

/** A job as programs have it. What it has not is `null`. */
export function toJobObject(job: JobView): JsonObject {
  const { lastRun } = job;
  return {
    id: job.id,
    name: job.name,
    prompt: job.prompt,
    skills: [...(job.skills ?? [])],
    model: job.model ?? null,
    provider: job.provider ?? null,
    script: job.script ?? null,
    no_agent: job.noAgent ?? false,
    context_from: [...(job.contextFrom ?? [])],
    schedule: describeTiming(job.timing, job.said),
    schedule_display: job.schedule,
    repeat: { times: job.repeat ?? null, completed: job.runs },
    deliver: job.deliver.join(','),
    origin: job.origin ?? null,
    enabled_toolsets: job.toolsets === undefined ? null : [...job.toolsets],
    workdir: job.cwd ?? null,
    misfire: job.misfire ?? null,
    key: job.key ?? null,
    enabled: job.state === 'scheduled',
    state: lastRun?.state === 'running' ? 'running' : job.state,
    paused_reason: job.pausedWhy ?? null,
    created_at: job.createdAt,
    next_run_at: job.nextAt ?? null,
    last_run_at: lastRun?.overAt ?? null,
    last_status: lastRun === undefined ? null : describeStatus(lastRun),
    last_error: lastRun?.why ?? null,
    last_delivery_error: lastRun?.undelivered ?? null,
    failure_streak: job.failures,
  };
}

function describeTiming(timing: JobSchedule, display: string): JsonObject {
  switch (timing.kind) {
    case 'once':
      return { kind: 'once', run_at: new Date(timing.at).toISOString(), display };
    case 'every':
      return { kind: 'interval', minutes: timing.ms / 60_000, display };
    case 'cron':
      return { kind: 'cron', expr: timing.expression, timezone: timing.zone, display };
  }
}

const describeStatus = ({ state, undelivered }: RunView): string =>
  state === 'failed' ? 'error' : state !== 'done' ? state : undelivered === undefined ? 'ok' : 'delivery_failed';

/** One run of a job; `output` is its result, where it was asked for and is still kept. */
export const toJobRunObject = (run: RunView): JsonObject => ({
  id: run.id,
  job_id: run.jobId,
  trigger: run.trigger,
  state: run.state,
  status: describeStatus(run),
  scheduled_at: run.dueAt,
  started_at: run.begunAt ?? null,
  ended_at: run.overAt ?? null,
  silent: run.isSilent ?? false,
  error: run.why ?? null,
  delivery_error: run.undelivered ?? null,
  missed: run.missed === undefined ? null : { count: run.missed.count },
  ...(run.text !== undefined && { output: run.text }),
});
