import type { Job, JobPass, JobSchedule, MisfirePolicy, MissedInstants } from '../../../contracts/job-store.ts';
import { collectPast, findNextInstant, type PastInstants } from './instants.ts';

/** What is later than this missed its time, unless its own period is longer: then half of that, up to two hours. */
const LEAST_GRACE_MS = 120_000;
const MOST_GRACE_MS = 2 * 3_600_000;

/** How late an instant may be run without being one that was missed. */
export function graceOf(schedule: JobSchedule, instant: number): number {
  const next = schedule.kind === 'once' ? undefined : findNextInstant(schedule, instant);
  return next === undefined ? LEAST_GRACE_MS : Math.min(Math.max((next - instant) / 2, LEAST_GRACE_MS), MOST_GRACE_MS);
}

/**
 * How a job that is due goes on: the latest of its instants is run, those before it are left out. When even that one comes too
 * late, the policy decides. Never are two of them run.
 */
export function planPass(job: Job, now: number, usual: MisfirePolicy): JobPass | undefined {
  const { schedule, misfire = usual } = job.definition;
  return planDue(job, now, ({ latest }) => misfire === 'run_once' || now - latest <= graceOf(schedule, latest));
}

/** The same, and nothing is run. */
export const planSkip = (job: Job, now: number): JobPass | undefined => planDue(job, now, () => false);

function planDue(
  { id, version, nextAt: from, definition, runs }: Job,
  now: number,
  decide: (past: PastInstants) => boolean,
): JobPass | undefined {
  if (from === undefined || from > now) return undefined;
  const { schedule, repeat } = definition;
  const past = collectPast(schedule, from, now);
  const { latest, earlier } = past;
  const isRun = decide(past);
  const missed = isRun ? earlier : withLatest(earlier, from, latest);
  const isOver = isRun && repeat !== undefined && runs + 1 >= repeat;
  const next = isOver ? undefined : findNextInstant(schedule, latest);
  return {
    jobId: id,
    version,
    from,
    ...(next !== undefined && { next }),
    ...(isRun && { run: latest }),
    ...(missed !== undefined && { missed }),
  };
}

const withLatest = (earlier: MissedInstants | undefined, from: number, latest: number): MissedInstants => ({
  ...earlier,
  from,
  through: latest,
  count: (earlier?.count ?? 0) + 1,
});

/** More instants than these are not looked at: what was run of them is far apart. */
const MAX_TRIED = 1_000;

/** Instants a job could wait for in place of a later one: the clock was set back. The earliest first. */
export function* listEarlier({ definition, nextAt }: Job, now: number): Generator<number> {
  const end = nextAt ?? now;
  let at = findNextInstant(definition.schedule, now);
  for (let tried = 0; at !== undefined && at < end && tried < MAX_TRIED; tried++) {
    yield at;
    at = findNextInstant(definition.schedule, at);
  }
}
