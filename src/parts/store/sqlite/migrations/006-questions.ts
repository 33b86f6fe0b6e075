import type { Migration } from './migration.ts';

/** Questions to the owner that outlive their process, and what was allowed for a session or a turn. */
export const questions: Migration = {
  version: 6,
  sql: `
CREATE TABLE questions (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  session_id TEXT,
  act TEXT NOT NULL,
  at INTEGER NOT NULL,
  state TEXT NOT NULL,
  decided_at INTEGER,
  action TEXT NOT NULL
);
CREATE INDEX questions_by_act ON questions (act);

CREATE TABLE grants (
  n INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL,
  turn_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  scope TEXT NOT NULL
);
CREATE UNIQUE INDEX grants_by_holder ON grants (session_id, turn_id, scope);
`,
};
