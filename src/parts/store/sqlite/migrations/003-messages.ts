import type { Migration } from './migration.ts';

/**
 * The inbox holds whole messages: what was a text of the owner becomes a message with one block of the owner's. A session
 * says where it is held besides who opened it, how it ended, and how much of its log is a copy of its parent's.
 */
export const messages: Migration = {
  version: 3,
  sql: `
ALTER TABLE inbox RENAME COLUMN text TO body;
UPDATE inbox SET body = json_object('content', json_array(json_object('type', 'text', 'text', body, 'trust', 'owner')));
ALTER TABLE inbox ADD COLUMN turn_id TEXT;

ALTER TABLE sessions ADD COLUMN platform TEXT NOT NULL DEFAULT '';
UPDATE sessions SET platform = source;
ALTER TABLE sessions ADD COLUMN ended_at INTEGER;
ALTER TABLE sessions ADD COLUMN end_reason TEXT;
ALTER TABLE sessions ADD COLUMN copied_seq INTEGER NOT NULL DEFAULT 0;
DROP INDEX sessions_by_place;
CREATE INDEX sessions_by_place ON sessions (platform, cwd);

CREATE INDEX entries_rewinds ON entries (session, seq) WHERE type = 'rewind';
`,
};
