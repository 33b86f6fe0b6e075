import { randomHex } from '../../../../base/ids.ts';
import type { Job, JobChange, JobDefinition, JobFilter, JobState, NewJob } from '../../../../contracts/job-store.ts';
import type { Db } from '../database/db.ts';
import { insertWithFreshId } from '../database/fresh-id.ts';
import { fromJson } from '../database/json.ts';

export interface JobRow {
  readonly id: string;
  readonly version: number;
  readonly state: JobState;
  readonly created_at: number;
  readonly next_at: number | null;
  readonly runs: number;
  readonly failures: number;
  readonly paused_why: string | null;
  readonly definition: string;
}
export const JOB_COLUMNS = 'id, version, state, created_at, next_at, runs, failures, paused_why, definition';
const SELECT = `SELECT ${JOB_COLUMNS} FROM jobs`;

export function insertJob(db: Db, { definition, nextAt }: NewJob, now: number): Job {
  const sql = 'INSERT OR IGNORE INTO jobs (id, version, state, created_at, next_at, definition) VALUES (?, 1, ?, ?, ?, ?)';
  const values = [nextAt === undefined ? 'paused' : 'scheduled', now, nextAt ?? null, JSON.stringify(definition)] as const;
  const id = insertWithFreshId(
    () => randomHex(12),
    (fresh) => db.run(sql, fresh, ...values),
  );
  return readJob(db, id);
}

export const listJobs = (db: Db, { states }: JobFilter): Job[] =>
  db
    .all<JobRow>(
      `${SELECT} WHERE (?1 IS NULL OR state IN (SELECT value FROM json_each(?1))) ORDER BY n`,
      states === undefined ? null : JSON.stringify(states),
    )
    .map(toJob);

/** An id in full comes before a name, and a name before the beginning of an id. */
export function findJobs(db: Db, ref: string): Job[] {
  const byName = `${SELECT} WHERE lower(json_extract(definition, '$.name')) = lower(?) ORDER BY n`;
  const ways = [`${SELECT} WHERE id = ?`, byName, `${SELECT} WHERE substr(id, 1, length(?1)) = ?1 AND ?1 <> '' ORDER BY n`];
  return (ways.map((sql) => db.all<JobRow>(sql, ref)).find((rows) => rows.length > 0) ?? []).map(toJob);
}

export function changeJob(db: Db, id: string, version: number, change: JobChange): Job | undefined {
  const row = db.get<JobRow>(`${SELECT} WHERE id = ? AND version = ?`, id, version);
  if (row === undefined) return undefined;
  const { definition, state = row.state, nextAt, pausedWhy } = change;
  const sql = 'UPDATE jobs SET version = version + 1, state = ?, next_at = ?, paused_why = ?, definition = ? WHERE id = ?';
  const next = nextAt === undefined ? row.next_at : nextAt;
  db.run(sql, state, next, pausedWhy ?? null, definition === undefined ? row.definition : JSON.stringify(definition), id);
  return readJob(db, id);
}

export function removeJob(db: Db, id: string): boolean {
  db.run(`DELETE FROM job_runs WHERE job_id = ? AND state = 'waiting'`, id);
  return db.run('DELETE FROM jobs WHERE id = ?', id) === 1;
}

export const findJob = (db: Db, id: string): JobRow | undefined => db.get<JobRow>(`${SELECT} WHERE id = ?`, id);

function readJob(db: Db, id: string): Job {
  const row = findJob(db, id);
  if (row === undefined) throw new Error(`job ${id} was written and has no row`);
  return toJob(row);
}

export const toJob = (row: JobRow): Job => ({
  id: row.id,
  version: row.version,
  state: row.state,
  definition: readDefinition(row),
  createdAt: row.created_at,
  ...(row.next_at !== null && { nextAt: row.next_at }),
  runs: row.runs,
  failures: row.failures,
  ...(row.paused_why !== null && { pausedWhy: row.paused_why }),
});

export const readDefinition = ({ id, definition }: Pick<JobRow, 'id' | 'definition'>): JobDefinition =>
  fromJson<JobDefinition>(definition, `job ${id}`);
