import type { EntryBody } from '../../../../contracts/entry.ts';
import { joinTextBlocks } from '../../../../contracts/message.ts';
import type { Db } from '../database/db.ts';
import { fromJson } from '../database/json.ts';
import { SEARCH_TABLES } from '../migrations/002-search.ts';
import { fold } from './fold.ts';
import { tokenizeFolded } from './tokens.ts';

import { learnWords, forgetWords } from './vocabulary.ts';

/** In the index a title has its session's number and this: titles stand above all entries, and come first. */
export const TITLES = 2 ** 51;

/** How much is taken in at a time. */
export interface BatchLimits {
  readonly entries: number;
  readonly characters: number;
}
/** Some 50 ms of work, so that a busy process can tend between two keystrokes. */
const SMALL: BatchLimits = { entries: 200, characters: 200_000 };
/** For filling an empty index: fewer, larger steps leave the index less to merge. */
export const LARGE: BatchLimits = { entries: 5000, characters: 5_000_000 };

/** A text and its number in the index: the entry's, or for a title the session's above `TITLES`. */
interface IndexedText {
  readonly n: number;
  readonly text: string;
}

/** Takes a bounded number of new entries and titles into the index; says whether any are left. One transaction, so a crash repeats it or not. */
export function catchUp(db: Db, helping: BatchLimits = SMALL): boolean {
  const titles = takeTitles(db, helping);
  const entries = takeEntries(db, helping);
  const counts = new Map<string, number>();
  // In ascending order: full-text tables write everything out when a number goes back.
  for (const item of [...entries.items, ...titles.items]) {
    const { words, dense } = tokenizeFolded(fold(item.text));
    db.run('INSERT INTO texts (rowid, tokens) VALUES (?, ?)', item.n, [...words, ...dense].join(' '));
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  learnWords(db, counts);
  return titles.more || entries.more;
}

/** Whether there is anything to take in; cheap, and needs no lock. */
export const isBehind = (db: Db): boolean =>
  db.get('SELECT 1 FROM entries WHERE n > ? LIMIT 1', cursor(db)) !== undefined || db.get('SELECT 1 FROM retitled LIMIT 1') !== undefined;

/** Takes a session out, before its rows go. */
export function forgetSession(db: Db, session: number): void {
  const rows = db.all<{ n: number; body: string }>('SELECT n, body FROM entries WHERE session = ? AND n <= ?', session, cursor(db));
  forget(db, [...rows.map(({ n, body }) => ({ n, text: extractSearchableText(body).text })), ...indexedTitle(db, session)]);
  for (const table of ['retitled', 'indexed_titles']) db.run(`DELETE FROM ${table} WHERE session = ?`, session);
}

function forget(db: Db, items: readonly IndexedText[]): void {
  const counts = new Map<string, number>();
  for (const { n, text } of items) {
    db.run('DELETE FROM texts WHERE rowid = CAST(? AS INTEGER)', n);
    for (const word of tokenizeFolded(fold(text)).words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  forgetWords(db, counts);
}

/** The numbers of entries removed last are given again: the cursor must not stand behind them. */
export function rewindCursor(db: Db): void {
  const last = db.get<{ n: number | null }>('SELECT max(n) AS n FROM entries')?.n ?? 0;
  if (cursor(db) > last) setCursor(db, last);
}

/** All that is derived for search. */
export const INDEX_TABLES: readonly string[] = ['texts', 'word_parts', 'vocabulary', 'indexed_titles', 'retitled', 'meta'];
/** How far the index has come, as the migrations make these tables. */
const PROGRESS_TABLES = `CREATE TABLE retitled (session INTEGER PRIMARY KEY);
  CREATE TABLE meta (key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;`;

/** Whether a line of SQLite's check of a file tells of the index, which is made anew at any time. */
export const isAboutIndex = (line: string): boolean => /\b(?:texts|word_parts|vocabulary)\b/u.test(line);

/** Makes the index anew and empty, whatever state it is in; `catchUp` fills it again. */
export function clearIndex(db: Db): void {
  for (const table of INDEX_TABLES) db.exec(`DROP TABLE IF EXISTS ${table}`);
  db.exec(`${SEARCH_TABLES} ${PROGRESS_TABLES}`);
  db.run('INSERT OR IGNORE INTO retitled SELECT n FROM sessions WHERE title IS NOT NULL');
  setCursor(db, 0);
}

/** What search may find of an entry: the words people saw. Not reasoning, and not what only went on the wire. */
export function extractSearchableText(body: string): { readonly role: string; readonly text: string } {
  const entry = fromJson<EntryBody>(body, 'an entry');
  return entry.type === 'message' ? { role: entry.message.role, text: joinTextBlocks(entry.message) } : { role: '', text: '' };
}

const cursor = (db: Db): number => db.get<{ value: number }>(`SELECT value FROM meta WHERE key = 'search.cursor'`)?.value ?? 0;

function setCursor(db: Db, n: number): void {
  db.run(`INSERT OR REPLACE INTO meta (key, value) VALUES ('search.cursor', ?)`, n);
}

interface IndexBatch {
  readonly items: readonly IndexedText[];
  readonly more: boolean;
}

function takeEntries(db: Db, helping: BatchLimits): IndexBatch {
  const from = cursor(db);
  const sql = 'SELECT n, type, body FROM entries WHERE n > ? ORDER BY n LIMIT ?';
  const rows = db.all<{ n: number; type: string; body: string }>(sql, from, helping.entries);
  const items: IndexedText[] = [];
  let characters = 0;
  let done = from;
  for (const row of rows) {
    if (characters > helping.characters) break;
    if (row.type === 'message') items.push({ n: row.n, text: extractSearchableText(row.body).text });
    characters += row.body.length;
    done = row.n;
  }
  if (done > from) setCursor(db, done);
  return { items: items.filter((item) => item.text !== ''), more: rows.length === helping.entries || done !== (rows.at(-1)?.n ?? from) };
}

function takeTitles(db: Db, helping: BatchLimits): IndexBatch {
  const sql = 'SELECT session, title FROM retitled LEFT JOIN sessions ON sessions.n = retitled.session ORDER BY session LIMIT ?';
  const rows = db.all<{ session: number; title: string | null }>(sql, helping.entries);
  for (const { session, title } of rows) {
    forget(db, indexedTitle(db, session));
    db.run('INSERT OR REPLACE INTO indexed_titles (session, title) VALUES (?, ?)', session, title ?? '');
    db.run('DELETE FROM retitled WHERE session = ?', session);
  }
  const items = rows.map(({ session, title }) => ({ n: TITLES + session, text: title ?? '' }));
  return { items: items.filter((item) => item.text !== ''), more: rows.length === helping.entries };
}

/** The title the index knows, which may be an older one. */
const indexedTitle = (db: Db, session: number): IndexedText[] =>
  db
    .all<{ title: string }>('SELECT title FROM indexed_titles WHERE session = ?', session)
    .map(({ title }) => ({ n: TITLES + session, text: title }));
