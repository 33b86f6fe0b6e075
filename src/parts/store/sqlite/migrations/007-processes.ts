import type { Migration } from './migration.ts';

/** Background processes that may outlive whoever started them. */
export const processes: Migration = {
  version: 7,
  sql: `
CREATE TABLE processes (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  session_id TEXT NOT NULL,
  is_kept INTEGER NOT NULL DEFAULT 0,
  notices TEXT NOT NULL,
  trace TEXT NOT NULL
);
`,
};
