import type { JobRun, RunClaim, RunFilter } from '../../../../contracts/job-store.ts';
import { StoreError } from '../../../../contracts/session-store.ts';
import type { Db } from '../database/db.ts';
import { fromJson } from '../database/json.ts';

export interface JobRunRow {
  readonly n: number;
  readonly id: string;
  readonly job_id: string;
  readonly instant: number;
  readonly trigger: JobRun['trigger'];
  readonly state: JobRun['state'];
  readonly token: number;
  readonly process: string | null;
  readonly lease: number | null;
  readonly attempts: number;
  readonly session_id: string | null;
  readonly begun_at: number | null;
  readonly over_at: number | null;
  readonly body: string;
}
/** What of a run is kept as one JSON text. */
export type RunBody = Pick<JobRun, 'jobName' | 'job' | 'script' | 'result' | 'missed' | 'madeUpFor'> & { readonly isScriptBegun?: true };

export const SELECT_RUN =
  'SELECT n, id, job_id, instant, trigger, state, token, process, lease, attempts, session_id, begun_at, over_at, body FROM job_runs';

export function listRuns(db: Db, { jobId, runId, sessionId, states, limit = -1 }: RunFilter): JobRun[] {
  const only = [
    ...(jobId === undefined ? [] : [['job_id', jobId] as const]),
    ...(runId === undefined ? [] : [['id', runId] as const]),
    ...(sessionId === undefined ? [] : [['session_id', sessionId] as const]),
  ];
  const where = [
    '(?1 IS NULL OR state IN (SELECT value FROM json_each(?1)))',
    ...only.map(([column], index) => `${column} = ?${index + 3}`),
  ].join(' AND ');
  const chosen = states === undefined ? null : JSON.stringify(states);
  return db
    .all<JobRunRow>(`${SELECT_RUN} WHERE ${where} ORDER BY instant DESC, n DESC LIMIT ?2`, chosen, limit, ...only.map(([, value]) => value))
    .map(toRun);
}

export const readBody = ({ id, body }: Pick<JobRunRow, 'id' | 'body'>): RunBody => fromJson<RunBody>(body, `run ${id} of a job`);

export const toRun = (row: JobRunRow): JobRun => ({
  id: row.id,
  jobId: row.job_id,
  instant: row.instant,
  trigger: row.trigger,
  state: row.state,
  ...withoutMarks(readBody(row)),
  ...(row.session_id !== null && { sessionId: row.session_id }),
  ...(row.begun_at !== null && { begunAt: row.begun_at }),
  ...(row.over_at !== null && { overAt: row.over_at }),
  attempts: row.attempts,
});

const withoutMarks = ({ isScriptBegun: _isScriptBegun, ...body }: RunBody): Omit<RunBody, 'isScriptBegun'> => body;

/** The fence: whoever lost a run is refused before anything of what it wanted is done. */
export function holdRun(db: Db, { runId, token }: RunClaim): JobRunRow {
  const row = db.get<JobRunRow>(`${SELECT_RUN} WHERE id = ? AND token = ? AND process IS NOT NULL AND over_at IS NULL`, runId, token);
  if (row !== undefined) return row;
  throw new StoreError(
    'fenced',
    `Nothing was done with run ${runId} of a job: it is no longer in these hands (token ${token}). It is over, or somebody else goes on with it. Leave it to them.`,
  );
}
