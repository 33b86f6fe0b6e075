import type { Migration } from './migration.ts';

/** Scheduled jobs, their runs, and the processes that run them. One row for a job and an instant is the claim; rows of instants that were left out are none. */
export const jobs: Migration = {
  version: 10,
  sql: `
CREATE TABLE jobs (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL,
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  next_at INTEGER,
  runs INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  paused_why TEXT,
  definition TEXT NOT NULL
);
CREATE INDEX jobs_due ON jobs (next_at) WHERE next_at IS NOT NULL;

CREATE TABLE job_runs (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  job_id TEXT NOT NULL,
  instant INTEGER NOT NULL,
  trigger TEXT NOT NULL,
  state TEXT NOT NULL,
  token INTEGER NOT NULL DEFAULT 0,
  process TEXT,
  lease INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0,
  session_id TEXT,
  begun_at INTEGER,
  over_at INTEGER,
  body TEXT NOT NULL
);
CREATE UNIQUE INDEX job_runs_by_instant ON job_runs (job_id, instant) WHERE state <> 'missed';
CREATE INDEX job_runs_by_job ON job_runs (job_id, instant);
CREATE INDEX job_runs_by_time ON job_runs (instant);
CREATE INDEX job_runs_open ON job_runs (job_id) WHERE over_at IS NULL;
CREATE INDEX job_runs_over ON job_runs (over_at) WHERE over_at IS NOT NULL;
CREATE INDEX job_runs_by_session ON job_runs (session_id) WHERE session_id IS NOT NULL;

CREATE TABLE tickers (
  process TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  since INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  lease INTEGER NOT NULL
) WITHOUT ROWID;
`,
};
