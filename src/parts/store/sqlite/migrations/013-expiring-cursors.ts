import type { Migration } from './migration.ts';

/** Cursors of threads go when nothing came there for long. Those that are known to be of threads get that long from now. */
export const expiringCursors: Migration = {
  version: 13,
  sql: `
ALTER TABLE cursors ADD COLUMN expires_at INTEGER;
CREATE INDEX cursors_expiring ON cursors (expires_at) WHERE expires_at IS NOT NULL;
UPDATE cursors SET expires_at = (unixepoch() + 100 * 86400) * 1000
  WHERE platform = 'slack' AND scope LIKE '%/%'
  OR platform = 'discord' AND scope IN
    (SELECT place ->> '$.chat.chatId' FROM routes WHERE platform = 'discord' AND place ->> '$.chat.type' = 'thread');
`,
};
