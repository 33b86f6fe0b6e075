import type { SearchHit } from '../../../../contracts/session-store.ts';
import type { Db } from '../db.ts';
import { searchable, TITLES } from './catch-up.ts';
import { fold } from './fold.ts';
import { matches } from './match.ts';
import type { Group } from './query.ts';
import { snippet } from './snippet.ts';

interface Row {
  readonly session_id: string;
  readonly id: string;
  readonly seq: number;
  readonly at: number;
  readonly title: string | null;
  readonly body: string;
}

/** What stands under a number of the index, if it really is what was looked for. */
export function hitAt(db: Db, n: number, groups: readonly Group[]): SearchHit | undefined {
  const row = n > TITLES ? titleRow(db, n - TITLES) : entryRow(db, n);
  if (row === undefined) return undefined;
  const { role, text } = n > TITLES ? { role: 'title', text: row.title ?? '' } : searchable(row.body);
  if (!matches(fold(text), groups)) return undefined;
  const { session_id: sessionId, id: entryId, seq, at, title } = row;
  return { sessionId, entryId, seq, at, role, ...(title !== null && { title }), snippet: snippet(text, groups) };
}

const entryRow = (db: Db, n: number): Row | undefined =>
  db.get<Row>(
    `SELECT sessions.id AS session_id, entries.id AS id, seq, at, title, body FROM entries JOIN sessions ON sessions.n = entries.session
    WHERE entries.n = ?`,
    n,
  );

/** A title stands for its session: the hit points at the session's first entry. */
const titleRow = (db: Db, session: number): Row | undefined =>
  db.get<Row>(
    `SELECT sessions.id AS session_id, coalesce(entries.id, '') AS id, coalesce(seq, 0) AS seq, updated_at AS at, title, '' AS body
    FROM sessions LEFT JOIN entries ON entries.session = sessions.n AND seq = 1 WHERE sessions.n = ?`,
    session,
  );
