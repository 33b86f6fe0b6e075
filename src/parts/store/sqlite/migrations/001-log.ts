import type { Migration } from './migration.ts';

/** The log and the cells a running turn needs. */
export const log: Migration = {
  version: 1,
  sql: `
-- AUTOINCREMENT: a number is never given twice, so a writer of a removed session cannot hit its successor.
CREATE TABLE sessions (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  source TEXT NOT NULL,
  cwd TEXT NOT NULL,
  model TEXT NOT NULL,
  provider TEXT NOT NULL,
  parent_id TEXT,
  parent_kind TEXT,
  title TEXT COLLATE NOCASE,
  title_by TEXT,
  started_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  last_seq INTEGER NOT NULL DEFAULT 0,
  messages INTEGER NOT NULL DEFAULT 0,
  exit_reason TEXT
);
CREATE INDEX sessions_by_place ON sessions (source, cwd);
CREATE UNIQUE INDEX sessions_by_title ON sessions (title) WHERE title IS NOT NULL;
CREATE INDEX sessions_by_parent ON sessions (parent_id) WHERE parent_id IS NOT NULL;

-- n is the order of arrival over all sessions; the search index follows it.
CREATE TABLE entries (
  n INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  turn_id TEXT,
  at INTEGER NOT NULL,
  origin TEXT NOT NULL,
  type TEXT NOT NULL,
  sum INTEGER NOT NULL,
  body TEXT NOT NULL
);
CREATE UNIQUE INDEX entries_by_seq ON entries (session, seq);
CREATE UNIQUE INDEX entries_by_id ON entries (session, id);

-- The token outlives its holder: it must grow with every take-over.
CREATE TABLE claims (
  session INTEGER PRIMARY KEY,
  token INTEGER NOT NULL,
  host TEXT,
  pid INTEGER,
  started TEXT,
  lease INTEGER NOT NULL
);

CREATE TABLE turns (
  session INTEGER PRIMARY KEY,
  phase TEXT NOT NULL,
  state TEXT NOT NULL
);

CREATE TABLE inbox (
  n INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  id TEXT NOT NULL UNIQUE,
  key TEXT,
  mode TEXT NOT NULL,
  at INTEGER NOT NULL,
  fate TEXT,
  text TEXT NOT NULL
);
CREATE INDEX inbox_by_session ON inbox (session);
CREATE INDEX inbox_waiting ON inbox (session) WHERE fate IS NULL;
CREATE UNIQUE INDEX inbox_by_key ON inbox (session, key) WHERE key IS NOT NULL;

CREATE TABLE calls (
  n INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  input INTEGER NOT NULL,
  output INTEGER NOT NULL,
  cache_read INTEGER NOT NULL,
  cache_write INTEGER NOT NULL,
  reasoning INTEGER NOT NULL,
  price REAL,
  shares INTEGER,
  kept INTEGER NOT NULL,
  depth INTEGER NOT NULL,
  record TEXT NOT NULL
);
CREATE INDEX calls_by_time ON calls (at);
-- Holds all that a sum needs: spending is read from the index alone.
CREATE INDEX calls_spent ON calls (session, input, output, cache_read, cache_write, reasoning, price);

CREATE TABLE facts (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value NOT NULL
) WITHOUT ROWID;
`,
};
