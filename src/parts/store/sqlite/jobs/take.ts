import type { RunClaim, TakenRun, TakeRunOptions } from '../../../../contracts/job-store.ts';
import type { Db } from '../database/db.ts';
import { isDead, isNear, nameProcess } from '../gateway/holders.ts';
import type { RowHolder } from '../gateway/base.ts';
import { holdRun, SELECT_RUN, toRun, type JobRunRow } from './run-rows.ts';

/** Who takes a run, and until when it is believed to live where nobody can look. */
export interface RunHolder {
  readonly me: RowHolder;
  readonly now: number;
  readonly leaseMs: number;
}

/** Takes what is there to be taken now. A process that lives on this machine keeps its runs without a lease. */
export const takeRuns = (db: Db, { limit, runId }: TakeRunOptions, holder: RunHolder): TakenRun[] =>
  listFree(db, holder, runId)
    .slice(0, limit)
    .map(({ id }) => takeRun(db, id, holder));

export function listFree(db: Db, { me, now }: Pick<RunHolder, 'me' | 'now'>, runId?: string): JobRunRow[] {
  const rows = db.all<JobRunRow>(`${SELECT_RUN} WHERE over_at IS NULL AND (?1 IS NULL OR id = ?1) ORDER BY n`, runId ?? null);
  const busy = new Set(db.all<{ job_id: string }>(RUNNING).map(({ job_id: job }) => job));
  const first = new Set<string>();
  return rows.filter((row) => {
    if (row.state === 'running') return isFree(row, me, now);
    // One run of a job at a time, the first that was asked for.
    if (busy.has(row.job_id) || first.has(row.job_id)) return false;
    return first.add(row.job_id);
  });
}
const RUNNING = `SELECT job_id FROM job_runs WHERE over_at IS NULL AND state = 'running'`;

function isFree({ process, lease }: JobRunRow, me: RowHolder, now: number): boolean {
  if (process === null) return true;
  return isNear(process, me) ? isDead(process, me) : (lease ?? 0) <= now;
}

/** Whoever had it until now, and did not give it back, died with it in hand. */
const TAKE = `UPDATE job_runs SET state = 'running', token = token + 1, attempts = attempts + (process IS NOT NULL), process = ?, lease = ?,
  begun_at = coalesce(begun_at, ?) WHERE id = ?`;

export function takeRun(db: Db, id: string, { me, now, leaseMs }: RunHolder): TakenRun {
  db.run(TAKE, nameProcess(me), now + leaseMs, now, id);
  const row = db.get<JobRunRow>(`${SELECT_RUN} WHERE id = ?`, id);
  const run = row && toRun(row);
  if (row === undefined || run?.job === undefined) throw new Error(`run ${id} of a job was taken and has no row`);
  return { claim: { runId: id, token: row.token }, run: { ...run, job: run.job } };
}

export const renewRuns = (db: Db, claims: readonly RunClaim[], lease: number): RunClaim[] =>
  claims.filter(
    ({ runId, token }) =>
      db.run(
        'UPDATE job_runs SET lease = ? WHERE id = ? AND token = ? AND process IS NOT NULL AND over_at IS NULL',
        lease,
        runId,
        token,
      ) === 1,
  );

export function releaseRun(db: Db, claim: RunClaim): void {
  const { n } = holdRun(db, claim);
  db.run('UPDATE job_runs SET process = NULL, lease = NULL WHERE n = ?', n);
}
