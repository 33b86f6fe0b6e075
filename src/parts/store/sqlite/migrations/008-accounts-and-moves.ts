import type { Migration } from './migration.ts';

/**
 * Pairing belongs to an account, where it held for a whole platform before: whoever was paired stays so with the account that
 * needs no name. And chats keep the ids they had before they moved, because settings and addresses may still name them.
 */
export const accountsAndMoves: Migration = {
  version: 8,
  sql: `
CREATE TABLE people_of_accounts (
  platform TEXT NOT NULL,
  account TEXT NOT NULL DEFAULT 'main',
  user_id TEXT NOT NULL,
  name TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (platform, account, user_id)
) WITHOUT ROWID;
INSERT INTO people_of_accounts (platform, account, user_id, name, at) SELECT platform, 'main', user_id, name, at FROM people;
DROP TABLE people;
ALTER TABLE people_of_accounts RENAME TO people;

ALTER TABLE pairings ADD COLUMN account TEXT NOT NULL DEFAULT 'main';
ALTER TABLE pairings ADD COLUMN confirmed_at INTEGER;
UPDATE pairings SET confirmed_at = at;

CREATE TABLE moved_chats (
  platform TEXT NOT NULL,
  account TEXT NOT NULL,
  chat TEXT NOT NULL,
  to_chat TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (platform, account, chat)
) WITHOUT ROWID;

CREATE TABLE moved_routes (
  key TEXT PRIMARY KEY,
  to_key TEXT NOT NULL,
  at INTEGER NOT NULL
) WITHOUT ROWID;
`,
};
