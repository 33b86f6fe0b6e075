import type { ProcessIdentity } from '../../../../base/process-identity.ts';
import type { NewDelivery } from '../../../../contracts/gateway-store.ts';
import type { InboxItem, NewInboxItem } from '../../../../contracts/inbox.ts';
import type { JobRun, RunClaim, JobResult } from '../../../../contracts/job-store.ts';
import type { Db } from '../database/db.ts';
import type { GatewaySessions } from '../gateway/base.ts';
import { planDeliveries } from '../gateway/deliveries.ts';
import { holdRun, readBody, SELECT_RUN, toRun, type RunBody, type JobRunRow } from './run-rows.ts';

export function beginScript(db: Db, claim: RunClaim, script: ProcessIdentity): boolean {
  const row = holdRun(db, claim);
  const body = readBody(row);
  if (body.isScriptBegun === true) return false;
  const begun: RunBody = { ...body, isScriptBegun: true, script };
  return db.run('UPDATE job_runs SET body = ? WHERE n = ?', JSON.stringify(begun), row.n) === 1;
}

export function startRun(db: Db, claim: RunClaim, item: NewInboxItem, { post }: Pick<GatewaySessions, 'post'>): InboxItem | undefined {
  const row = holdRun(db, claim);
  if (row.session_id !== null) return undefined;
  db.run('UPDATE job_runs SET session_id = ? WHERE n = ?', item.sessionId, row.n);
  return post(item);
}

/** The ledger keeps the name of the job and the result, and no longer what was asked. */
export function finishRun(db: Db, claim: RunClaim, result: JobResult, deliveries: readonly NewDelivery[], now: number): JobRun {
  const row = holdRun(db, claim);
  const { job: _job, isScriptBegun: _isScriptBegun, script: _script, ...kept } = readBody(row);
  const body: RunBody = { ...kept, result };
  const sql = 'UPDATE job_runs SET state = ?, over_at = ?, process = NULL, lease = NULL, body = ? WHERE n = ?';
  db.run(sql, result.state, now, JSON.stringify(body), row.n);
  countResult(db, row.job_id, result);
  planDeliveries(db, deliveries, now);
  const over = db.get<JobRunRow>(`${SELECT_RUN} WHERE n = ?`, row.n);
  if (over === undefined) throw new Error(`run ${row.id} of a job was finished and has no row`);
  return toRun(over);
}

/** A job that waits for nothing any more is over with its last run. */
function countResult(db: Db, jobId: string, { state }: JobResult): void {
  db.run('UPDATE jobs SET failures = iif(?, failures + 1, 0) WHERE id = ?', state === 'failed' ? 1 : 0, jobId);
  db.run(`UPDATE jobs SET state = 'completed' WHERE id = ? AND state = 'scheduled' AND next_at IS NULL`, jobId);
}

const KEPT_MS = 90 * 86_400_000;
/** The latest runs of a job stay, however old they are, until it is over. */
const KEPT_OF_A_JOB = 50;
/** Rows that go at a time. */
const HELPING = 500;

/** Jobs that are over stay as long as others are given their results. */
const WANTED = `SELECT named.value FROM jobs AS other, json_each(other.definition, '$.contextFrom') AS named`;
const OLD_RUNS = `SELECT n FROM job_runs AS old WHERE over_at < ? AND (
  (SELECT count(*) FROM job_runs AS newer WHERE newer.job_id = old.job_id AND newer.instant > old.instant) >= ${KEPT_OF_A_JOB}
  OR NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = old.job_id AND (state <> 'completed' OR id IN (${WANTED})))) LIMIT ?`;
const OLD_JOBS = `state = 'completed' AND created_at < ? AND id NOT IN (${WANTED})
  AND NOT EXISTS (SELECT 1 FROM job_runs WHERE job_runs.job_id = jobs.id)`;

/** Lets go of runs that are long over, and of jobs that are over with all of theirs; says whether there is more. */
export function pruneJobs(db: Db, now: number): boolean {
  const pruned = db.run(`DELETE FROM job_runs WHERE n IN (${OLD_RUNS})`, now - KEPT_MS, HELPING);
  db.run(`DELETE FROM jobs WHERE ${OLD_JOBS}`, now - KEPT_MS);
  return pruned >= HELPING;
}
