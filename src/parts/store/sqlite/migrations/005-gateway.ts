import type { Migration } from './migration.ts';

/**
 * What every row has that somebody takes, works on and finishes. `chat` is whatever is served in order. `place` is its place in
 * the line of its chat besides its number: 0, or until it was first taken the time before which it is not due. `due` is only
 * known of the first in line: when it may be taken, which for one in somebody's hands is when their lease is over.
 */
const WORK = `
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  platform TEXT NOT NULL,
  account TEXT NOT NULL,
  chat TEXT NOT NULL,
  state TEXT NOT NULL,
  at INTEGER NOT NULL,
  place INTEGER NOT NULL DEFAULT 0,
  not_before INTEGER NOT NULL,
  due INTEGER,
  owner TEXT,
  process TEXT,
  token INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  over_at INTEGER,
  why TEXT,
  body TEXT NOT NULL`;

const indexes = (table: 'arrivals' | 'deliveries'): string => `
CREATE INDEX ${table}_line ON ${table} (platform, account, chat, place, n) WHERE over_at IS NULL;
CREATE INDEX ${table}_due ON ${table} (due) WHERE due IS NOT NULL;
CREATE INDEX ${table}_held ON ${table} (platform, account, chat, process) WHERE owner IS NOT NULL;
CREATE INDEX ${table}_over ON ${table} (over_at) WHERE over_at IS NOT NULL;`;

/** Chats: what arrived, what goes out, where it leads, who may speak. Nothing of it is derived. */
export const gateway: Migration = {
  version: 5,
  sql: `
CREATE TABLE arrivals (${WORK},
  event_key TEXT NOT NULL,
  session_id TEXT,
  item_id TEXT,
  is_bare INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX arrivals_by_key ON arrivals (platform, account, event_key);
CREATE INDEX arrivals_bare ON arrivals (platform, account, n) WHERE is_bare = 1;
${indexes('arrivals')}

CREATE TABLE deliveries (${WORK},
  key TEXT NOT NULL UNIQUE,
  expires_at INTEGER NOT NULL,
  session_id TEXT,
  turn_id TEXT
);
CREATE INDEX deliveries_by_session ON deliveries (session_id) WHERE session_id IS NOT NULL;
${indexes('deliveries')}

CREATE TABLE delivery_parts (
  n INTEGER PRIMARY KEY,
  delivery INTEGER NOT NULL,
  position INTEGER NOT NULL,
  key TEXT NOT NULL,
  state TEXT NOT NULL,
  begun_at INTEGER,
  message_id TEXT,
  is_uncertain INTEGER NOT NULL DEFAULT 0,
  content TEXT NOT NULL
);
CREATE UNIQUE INDEX delivery_parts_by_position ON delivery_parts (delivery, position);

-- Without a target only facts are known of the chat: no message of it came yet.
CREATE TABLE routes (
  n INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  platform TEXT,
  session_id TEXT,
  used_at INTEGER NOT NULL,
  place TEXT,
  facts TEXT NOT NULL DEFAULT '{}'
);
CREATE INDEX routes_idle ON routes (used_at) WHERE session_id IS NOT NULL;
CREATE INDEX routes_by_session ON routes (session_id) WHERE session_id IS NOT NULL;

CREATE TABLE cursors (
  platform TEXT NOT NULL,
  account TEXT NOT NULL,
  scope TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (platform, account, scope)
) WITHOUT ROWID;

CREATE TABLE dead_targets (
  platform TEXT NOT NULL,
  account TEXT NOT NULL,
  chat TEXT NOT NULL,
  thread TEXT NOT NULL,
  at INTEGER NOT NULL,
  why TEXT NOT NULL,
  PRIMARY KEY (platform, account, chat, thread)
) WITHOUT ROWID;

-- A code that was used or is over stays until its person may ask for another one.
CREATE TABLE pairings (
  id TEXT PRIMARY KEY,
  platform TEXT NOT NULL,
  user_id TEXT NOT NULL,
  name TEXT,
  hash TEXT NOT NULL,
  salt TEXT NOT NULL,
  offered_by TEXT NOT NULL,
  at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  again_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE people (
  platform TEXT NOT NULL,
  user_id TEXT NOT NULL,
  name TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (platform, user_id)
) WITHOUT ROWID;

CREATE TABLE counters (
  what TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  ends_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX counters_by_end ON counters (ends_at);

-- The token outlives its holder, as that of a claim does.
CREATE TABLE credential_leases (
  identity TEXT PRIMARY KEY,
  token INTEGER NOT NULL,
  holder TEXT,
  process TEXT,
  lease INTEGER NOT NULL
) WITHOUT ROWID;
`,
};
