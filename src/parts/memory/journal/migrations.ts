/** The shape of `journal.db`, one step a version. A step that was released is never changed. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE turns (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    session TEXT NOT NULL,
    at INTEGER NOT NULL,
    platform TEXT NOT NULL,
    user_id TEXT,
    chat_id TEXT,
    is_group INTEGER NOT NULL DEFAULT 0,
    is_owner INTEGER NOT NULL DEFAULT 1,
    foreign_source TEXT
  ) STRICT;
  CREATE INDEX turns_by_session ON turns (session, id);
  CREATE TABLE facts (
    id INTEGER PRIMARY KEY,
    turn INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    speaker TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    valid_from INTEGER NOT NULL,
    valid_to INTEGER,
    superseded_by INTEGER,
    quarantine TEXT,
    made_by TEXT NOT NULL DEFAULT 'rules'
  ) STRICT;
  CREATE INDEX facts_by_turn ON facts (turn, position);
  CREATE INDEX facts_standing ON facts (kind, id) WHERE kind = 'preference' AND valid_to IS NULL AND quarantine IS NULL;
  CREATE INDEX facts_replaced ON facts (superseded_by) WHERE superseded_by IS NOT NULL;
  CREATE INDEX facts_in_quarantine ON facts (id) WHERE quarantine IS NOT NULL;
  CREATE VIRTUAL TABLE turn_words USING fts5(own, before, content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co' tokenchars '_=<'");
  CREATE VIRTUAL TABLE turn_terms USING fts5vocab(turn_words, 'row');
  CREATE TABLE vectors (fact INTEGER PRIMARY KEY REFERENCES facts (id) ON DELETE CASCADE, vector BLOB NOT NULL) STRICT;
  CREATE TABLE done (key TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT;
  CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  `,
  // Whose words a fact may repeat is told by the fact: a person wrote before the agent read what others said.
  `
  ALTER TABLE facts ADD COLUMN foreign_source TEXT;
  UPDATE facts SET foreign_source = (SELECT foreign_source FROM turns WHERE turns.id = facts.turn);
  `,
];
