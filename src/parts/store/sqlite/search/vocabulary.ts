import type { Db } from '../database/db.ts';

/** Words that fit a part of a needle, and whether these are all there are. */
export interface WordExpansion {
  readonly words: readonly string[];
  readonly complete: boolean;
}
/** Which ends of a word a part of a needle reaches. */
export type WordFit = 'prefix' | 'suffix' | 'inside';

/** How many words a part may stand for. One that fits more than `most` is common: `used` frequent ones of those met first find plenty. */
export interface ExpansionLimits {
  readonly most: number;
  readonly used: number;
}
export const NARROW: ExpansionLimits = { most: 100, used: 24 };
/** For the rare case that common parts together are rare. */
export const WIDE: ExpansionLimits = { most: 2000, used: 2000 };

/** Counts texts per word, so that the frequent are known. Taken together for a helping of texts: most words repeat. */
export function learnWords(db: Db, counts: ReadonlyMap<string, number>): void {
  const sql = `INSERT INTO vocabulary (word, texts) VALUES (?, ?)
    ON CONFLICT (word) DO UPDATE SET texts = texts + excluded.texts RETURNING n, texts`;
  for (const [word, count] of counts) {
    const row = db.get<{ n: number; texts: number }>(sql, word, count);
    if (row?.texts === count) db.run('INSERT INTO word_parts (rowid, word) VALUES (?, ?)', row.n, word);
  }
}

/** Words that no text has any more go: what was removed must not live on here. */
export function forgetWords(db: Db, counts: ReadonlyMap<string, number>): void {
  for (const [word, count] of counts) {
    const row = db.get<{ n: number; texts: number }>(
      'UPDATE vocabulary SET texts = texts - ? WHERE word = ? RETURNING n, texts',
      count,
      word,
    );
    if (row === undefined || row.texts > 0) continue;
    db.run('DELETE FROM word_parts WHERE rowid = CAST(? AS INTEGER)', row.n);
    db.run('DELETE FROM vocabulary WHERE n = ?', row.n);
  }
}

interface WordRow {
  readonly word: string;
  readonly texts: number;
}

export function expand(db: Db, part: string, fit: WordFit, { most, used }: ExpansionLimits): WordExpansion {
  const rows = fit === 'prefix' ? wordsFrom(db, part, most + 1) : wordsWith(db, part, fit, most + 1);
  if (rows.length <= most) return { words: rows.map((row) => row.word), complete: true };
  const frequent = rows.toSorted((a, b) => b.texts - a.texts).slice(0, used);
  return { words: frequent.map((row) => row.word), complete: false };
}

function wordsFrom(db: Db, part: string, most: number): WordRow[] {
  const first = 'SELECT n FROM vocabulary WHERE word >= ?1 AND word < ?1 || char(1114111) ORDER BY n LIMIT ?2';
  return db.all<WordRow>(`SELECT word, texts FROM vocabulary WHERE n IN (${first})`, part, most);
}

function wordsWith(db: Db, part: string, fit: WordFit, most: number): WordRow[] {
  const threes = Array.from({ length: part.length - 2 }, (_, index) => `"${part.slice(index, index + 3)}"`);
  const holds = fit === 'suffix' ? 'substr(known.word, -length(?2)) = ?2' : 'instr(known.word, ?2) > 0';
  const sql = `SELECT known.word, known.texts FROM word_parts JOIN vocabulary AS known ON known.n = word_parts.rowid
    WHERE word_parts MATCH ?1 AND ${holds} ORDER BY word_parts.rowid LIMIT ?3`;
  return db.all<WordRow>(sql, threes.join(' AND '), part, most);
}
