import type { Migration } from './migration.ts';

/** Turns that programs asked for, what they told, and whose sessions they are in. */
export const runs: Migration = {
  version: 9,
  sql: `
CREATE TABLE runs (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  owner TEXT NOT NULL,
  kind TEXT NOT NULL,
  session INTEGER NOT NULL,
  item_id TEXT NOT NULL,
  key TEXT,
  body_hash TEXT,
  at INTEGER NOT NULL,
  state TEXT NOT NULL,
  is_brief INTEGER NOT NULL,
  last_seq INTEGER NOT NULL DEFAULT 0,
  ended_at INTEGER,
  end_seq INTEGER,
  request TEXT NOT NULL,
  result TEXT
);
CREATE UNIQUE INDEX runs_by_key ON runs (owner, key) WHERE key IS NOT NULL;
CREATE INDEX runs_by_session ON runs (session);
CREATE INDEX runs_open ON runs (n) WHERE ended_at IS NULL;
CREATE INDEX runs_ended ON runs (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE run_events (
  run INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (run, seq)
) WITHOUT ROWID;

-- Of children too: what they cost is their owner's.
CREATE TABLE session_owners (
  session INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,
  is_child INTEGER NOT NULL DEFAULT 0,
  facts TEXT NOT NULL
);
CREATE INDEX session_owners_by_owner ON session_owners (owner);

CREATE TABLE session_prefixes (
  owner TEXT NOT NULL,
  hash TEXT NOT NULL,
  session INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (owner, hash)
) WITHOUT ROWID;
CREATE INDEX session_prefixes_by_session ON session_prefixes (session);
CREATE INDEX session_prefixes_by_age ON session_prefixes (at);

CREATE TABLE named_sessions (
  owner TEXT NOT NULL,
  name TEXT NOT NULL,
  session INTEGER NOT NULL,
  PRIMARY KEY (owner, name)
) WITHOUT ROWID;
CREATE INDEX named_sessions_by_session ON named_sessions (session);

CREATE TABLE owner_spending (
  owner TEXT PRIMARY KEY,
  calls INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  price REAL NOT NULL,
  unpriced INTEGER NOT NULL
) WITHOUT ROWID;
`,
};
