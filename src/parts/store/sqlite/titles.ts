import { takeStart } from '../../../base/text.ts';
import { StoreError, type Session, type TitleSource } from '../../../contracts/session-store.ts';
import type { Db } from './database/db.ts';
import { readSession, readSessionNumber } from './sessions.ts';

/** A title is never replaced by one from a lesser source. */
const RANK: Readonly<Record<TitleSource, number>> = { derived: 1, model: 2, user: 3 };
const LONGEST = 100;

export function setTitle(db: Db, id: string, title: string, by: TitleSource): Session {
  const session = readSession(db, id);
  if (session.titleBy !== undefined && RANK[by] < RANK[session.titleBy]) return session;
  const wanted = cleanTitle(title);
  if (wanted === '')
    throw new StoreError(
      'missing',
      `The title ${JSON.stringify(title)} for session ${id} has no visible characters. Choose another title.`,
    );
  const free = by === 'user' ? ownTitle(db, id, wanted) : freeTitle(db, id, wanted);
  const number = readSessionNumber(db, id);
  db.run('UPDATE sessions SET title = ?, title_by = ? WHERE n = ?', free, by, number);
  db.run('INSERT OR IGNORE INTO retitled (session) VALUES (?)', number);
  return readSession(db, id);
}

/** Without control, zero-width and direction characters, which make two titles look the same. */
export const cleanTitle = (title: string): string =>
  takeStart(
    title
      .toWellFormed()
      .replaceAll(/[\p{Cf}]/gu, '')
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
    LONGEST,
  );

/** What a person typed is taken as it is or refused. */
function ownTitle(db: Db, id: string, title: string): string {
  const other = holderOf(db, id, title);
  if (other === undefined) return title;
  throw new StoreError('taken', `The title "${title}" already belongs to session ${other}. Choose another, or rename that session first.`);
}

/** What we made up ourselves gives way: "name", "name #2", "name #3". Found by halving, for there may be thousands that begin with "hi". */
function freeTitle(db: Db, id: string, title: string): string {
  const named = (count: number) => (count === 1 ? title : `${takeStart(title, LONGEST - ` #${count}`.length)} #${count}`);
  const isFree = (count: number) => holderOf(db, id, named(count)) === undefined;
  let [taken, free] = [0, 1];
  while (!isFree(free)) [taken, free] = [free, free * 2];
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (isFree(middle)) free = middle;
    else taken = middle;
  }
  return named(free);
}

const holderOf = (db: Db, id: string, title: string): string | undefined =>
  db.get<{ id: string }>('SELECT id FROM sessions WHERE title = ? AND id <> ?', title, id)?.id;
