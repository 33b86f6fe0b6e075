import { createTimeId } from '../../../../base/ids.ts';
import type { AskRunOptions, JobPass, JobRun, TakenRun } from '../../../../contracts/job-store.ts';
import type { Db } from '../database/db.ts';
import { insertWithFreshId } from '../database/fresh-id.ts';
import { findJob, readDefinition, type JobRow } from './definitions.ts';
import type { RunBody } from './run-rows.ts';
import { takeRun, type RunHolder } from './take.ts';

/** A job that waits for this instant, in the version that was read. */
function findWaiting(db: Db, jobId: string, version: number, from: number): JobRow | undefined {
  const job = findJob(db, jobId);
  return job !== undefined && job.version === version && job.state === 'scheduled' && job.next_at === from ? job : undefined;
}

const OPEN = `SELECT 1 FROM job_runs WHERE job_id = ? AND state = 'running' LIMIT 1`;
/** Whether an instant of a job has its run. */
const KNOWN = `SELECT 1 FROM job_runs WHERE job_id = ? AND instant = ? AND state <> 'missed'`;

export function passInstant(db: Db, pass: JobPass, holder: RunHolder): { taken?: TakenRun } | undefined {
  const { jobId, version, from, next, run, missed } = pass;
  const job = findWaiting(db, jobId, version, from);
  if (job === undefined || (run !== undefined && db.get(OPEN, jobId) !== undefined)) return undefined;
  const name = readDefinition(job).name;
  if (missed !== undefined) insertRun(db, { jobId, instant: missed.from, state: 'missed' }, { jobName: name, missed }, holder.now);
  const isRun = run !== undefined && db.get(KNOWN, jobId, run) === undefined;
  const state = next === undefined && !isRun ? 'completed' : 'scheduled';
  db.run('UPDATE jobs SET next_at = ?, state = ?, runs = runs + ? WHERE id = ?', next ?? null, state, isRun ? 1 : 0, jobId);
  if (!isRun) return {};
  const body = { jobName: name, job: readDefinition(job), ...(missed !== undefined && { madeUpFor: missed }) };
  const id = insertRun(db, { jobId, instant: run, state: 'running' }, body, holder.now);
  return { taken: takeRun(db, id, holder) };
}

export function advanceJob(db: Db, jobId: string, version: number, from: number, to: number): boolean {
  if (to >= from || findWaiting(db, jobId, version, from) === undefined || db.get(KNOWN, jobId, to) !== undefined) return false;
  return db.run('UPDATE jobs SET next_at = ? WHERE id = ?', to, jobId) === 1;
}

/** A run besides the schedule has the moment it was asked for as its instant, or the next that is free. */
export function askForRun(db: Db, jobId: string, { joins = false }: AskRunOptions, now: number): string | undefined {
  const job = findJob(db, jobId);
  if (job === undefined) return undefined;
  const definition = readDefinition(job);
  const body: RunBody = { jobName: definition.name, job: definition };
  const waiting = joins ? db.get<{ id: string }>(NOT_BEGUN, jobId) : undefined;
  if (waiting !== undefined) {
    db.run('UPDATE job_runs SET body = ? WHERE id = ?', JSON.stringify(body), waiting.id);
    return waiting.id;
  }
  let instant = now;
  while (db.get(KNOWN, jobId, instant) !== undefined) instant++;
  return insertRun(db, { jobId, instant, state: 'waiting' }, body, now);
}
const NOT_BEGUN = `SELECT id FROM job_runs WHERE job_id = ? AND state = 'waiting' ORDER BY n LIMIT 1`;

function insertRun(db: Db, { jobId, instant, state }: Pick<JobRun, 'jobId' | 'instant' | 'state'>, body: RunBody, now: number): string {
  const sql = 'INSERT OR IGNORE INTO job_runs (id, job_id, instant, trigger, state, over_at, body) VALUES (?, ?, ?, ?, ?, ?, ?)';
  const trigger = state === 'waiting' ? 'asked' : 'schedule';
  const values = [jobId, instant, trigger, state, state === 'missed' ? now : null, JSON.stringify(body)] as const;
  return insertWithFreshId(
    () => createTimeId('r', now),
    (id) => db.run(sql, id, ...values),
  );
}
