import type { Migration } from './migration.ts';

/**
 * The search index: tokens of `search/grams.ts` by entry number, and by the negative number of a session for its title.
 * Without text (`content=''`) and positions (`detail=none`) it stays small; hits are confirmed on the log itself.
 * The tokenizer splits at spaces only: our tokens hold signs.
 */
export const search: Migration = {
  version: 2,
  sql: `
CREATE VIRTUAL TABLE grams USING fts5(
  tokens, content='', contentless_delete=1, detail=none,
  tokenize="ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\\]^_\`{|}~'"
);
-- Sessions whose title the index does not know yet.
CREATE TABLE retitled (session INTEGER PRIMARY KEY);
INSERT INTO retitled SELECT n FROM sessions WHERE title IS NOT NULL;
`,
};
