import type { Migration } from './migration.ts';

/** How far memory providers have been told of sessions. `is_open`: the end of the session is not told, so there may be more. */
export const memoryCursors: Migration = {
  version: 11,
  sql: `
CREATE TABLE memory_cursors (
  n INTEGER PRIMARY KEY,
  provider TEXT NOT NULL,
  subject TEXT NOT NULL,
  scope TEXT NOT NULL,
  told INTEGER NOT NULL,
  seen INTEGER NOT NULL,
  end_at INTEGER,
  end_seq INTEGER NOT NULL,
  is_open INTEGER NOT NULL DEFAULT 1,
  not_before INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  failed_at INTEGER,
  why TEXT,
  token INTEGER NOT NULL DEFAULT 0,
  process TEXT,
  lease INTEGER,
  UNIQUE (provider, subject)
);
CREATE INDEX memory_cursors_open ON memory_cursors (provider) WHERE is_open = 1;
CREATE INDEX memory_cursors_failed ON memory_cursors (provider, failed_at) WHERE failed_at IS NOT NULL;
`,
};
