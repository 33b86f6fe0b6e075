import type { EntryBody } from '../../../../contracts/entry.ts';
import { visibleText } from '../../../../contracts/message.ts';
import type { Db } from '../db.ts';
import { fold } from './fold.ts';
import { gramsOf } from './grams.ts';

/** One helping: some 50 ms of work, so that a busy process can tend between two keystrokes. */
const MOST_ENTRIES = 200;
const MOST_CHARACTERS = 200_000;

interface Row {
  readonly n: number;
  readonly type: string;
  readonly body: string;
}

/** Takes a bounded number of new entries and titles into the index; says whether any are left. One transaction, so a crash repeats it or not. */
export function catchUp(db: Db): boolean {
  const titles = indexTitles(db);
  return indexEntries(db) || titles;
}

/** Whether there is anything to take in; cheap, and needs no lock. */
export const isBehind = (db: Db): boolean =>
  db.get('SELECT 1 FROM entries WHERE n > ? LIMIT 1', cursor(db)) !== undefined || db.get('SELECT 1 FROM retitled LIMIT 1') !== undefined;

/** Takes a session out, before its rows go. Numbers of removed entries are given again, so the cursor must not stand behind them. */
export function forget(db: Db, session: number): void {
  db.run('DELETE FROM grams WHERE rowid IN (SELECT n FROM entries WHERE session = ?1 AND n <= ?2) OR rowid = -?1', session, cursor(db));
  db.run('DELETE FROM retitled WHERE session = ?', session);
}

export function rewindCursor(db: Db): void {
  const last = db.get<{ n: number | null }>('SELECT max(n) AS n FROM entries')?.n ?? 0;
  if (cursor(db) > last) setCursor(db, last);
}

/** Empties the index; `catchUp` fills it again. */
export function clearIndex(db: Db): void {
  db.exec(`INSERT INTO grams (grams) VALUES ('delete-all')`);
  db.run('INSERT OR IGNORE INTO retitled SELECT n FROM sessions WHERE title IS NOT NULL');
  setCursor(db, 0);
}

/** What search may find of an entry: the words people saw. Not reasoning, and not what only went on the wire. */
export function searchable(body: string): string {
  const entry: EntryBody = JSON.parse(body);
  return entry.type === 'message' ? visibleText(entry.message) : '';
}

const cursor = (db: Db): number => db.get<{ value: number }>(`SELECT value FROM meta WHERE key = 'search.cursor'`)?.value ?? 0;

function setCursor(db: Db, n: number): void {
  db.run(`INSERT OR REPLACE INTO meta (key, value) VALUES ('search.cursor', ?)`, n);
}

function indexEntries(db: Db): boolean {
  const from = cursor(db);
  const rows = db.all<Row>('SELECT n, type, body FROM entries WHERE n > ? ORDER BY n LIMIT ?', from, MOST_ENTRIES);
  let characters = 0;
  let done = from;
  for (const row of rows) {
    if (characters > MOST_CHARACTERS) break;
    if (row.type === 'message') indexText(db, row.n, searchable(row.body));
    characters += row.body.length;
    done = row.n;
  }
  if (done > from) setCursor(db, done);
  return rows.length === MOST_ENTRIES || done !== (rows.at(-1)?.n ?? from);
}

function indexTitles(db: Db): boolean {
  const rows = db.all<{ session: number }>('SELECT session FROM retitled LIMIT ?', MOST_ENTRIES);
  for (const { session } of rows) {
    const title = db.get<{ title: string | null }>('SELECT title FROM sessions WHERE n = ?', session)?.title;
    db.run('DELETE FROM grams WHERE rowid = ?', -session);
    if (title != null) indexText(db, -session, title);
    db.run('DELETE FROM retitled WHERE session = ?', session);
  }
  return rows.length === MOST_ENTRIES;
}

function indexText(db: Db, rowid: number, text: string): void {
  if (text !== '') db.run('INSERT INTO grams (rowid, tokens) VALUES (?, ?)', rowid, [...gramsOf(fold(text))].join(' '));
}
