import type { Migration } from './migration.ts';

/**
 * The search index, all of it derived; also what `repair` makes anew.
 * - `texts`: the tokens of each text, by entry number, titles by the session's number above all those. Without text
 *   (`content=''`) and positions (`detail=none`) it stays small; hits are confirmed on the log itself.
 * - `vocabulary`: every word there is and in how many texts; `word_parts` finds words by any three letters in a row. Parts of
 *   words are looked for here, in the words, because there are far fewer of them than texts.
 */
export const SEARCH_TABLES = `
CREATE VIRTUAL TABLE texts USING fts5(tokens, content='', contentless_delete=1, detail=none, tokenize='ascii');
CREATE TABLE vocabulary (
  n INTEGER PRIMARY KEY,
  word TEXT NOT NULL UNIQUE,
  texts INTEGER NOT NULL
);
CREATE VIRTUAL TABLE word_parts USING fts5(word, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1');
CREATE TABLE indexed_titles (
  session INTEGER PRIMARY KEY,
  title TEXT NOT NULL
);
`;

export const search: Migration = {
  version: 2,
  sql: `${SEARCH_TABLES}
-- Sessions whose title the index does not know yet.
CREATE TABLE retitled (session INTEGER PRIMARY KEY);
INSERT INTO retitled SELECT n FROM sessions WHERE title IS NOT NULL;
`,
};
