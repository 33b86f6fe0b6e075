import { setImmediate as breathe } from 'node:timers/promises';
import { StoreError, type SearchHit, type SearchQuery } from '../../../../contracts/session-store.ts';
import type { Db } from '../db.ts';
import { catchUp, isBehind, searchable } from './catch-up.ts';
import { fold } from './fold.ts';
import { matches } from './match.ts';
import { indexExpression } from './expression.ts';
import { parseQuery, type Group } from './query.ts';
import { snippet } from './snippet.ts';

/** What the store gives when nobody says how many. */
const LIMIT = 20;
/** Candidates asked for beyond the limit: some will not hold. */
const SPARE = 10;

/** Hits, newest first. Takes in what is new before it looks. */
export async function searchLog(db: Db, { text, limit = LIMIT, sessionId }: SearchQuery): Promise<SearchHit[]> {
  const groups = parseQuery(text);
  if (groups.length === 0 || limit <= 0) return [];
  if (sessionId !== undefined) return confirm(db, groups, limit, (before, count) => sessionRows(db, sessionId, before, count));
  await catchUpFully(db);
  const expression = await db.read('look up the words', () => indexExpression(db, groups));
  if (expression === undefined) return [];
  const entries = await confirm(db, groups, limit, (before, count) => indexedRows(db, expression, before, count));
  const titles = await db.read('search the titles', () => titleHits(db, expression, groups, limit));
  return [...titles, ...entries].toSorted((a, b) => b.at - a.at).slice(0, limit);
}

/** A store that cannot be written to just now is searched as far as its index goes. */
async function catchUpFully(db: Db): Promise<void> {
  try {
    let behind = await db.read('look at the search index', () => isBehind(db));
    while (behind) {
      behind = await db.write('bring the search index up to date', () => catchUp(db));
      await breathe();
    }
  } catch (error) {
    if (!(error instanceof StoreError && (error.code === 'read_only' || error.code === 'full' || error.code === 'busy'))) throw error;
  }
}

interface Row {
  readonly n: number;
  readonly id: string;
  readonly seq: number;
  readonly at: number;
  readonly body: string;
  readonly session_id: string;
  readonly title: string | null;
}

const COLUMNS = `entries.n AS n, entries.id AS id, seq, at, body, sessions.id AS session_id, title`;

/** Candidates below a number, newest first. */
type Candidates = (before: number, count: number) => Row[];

function indexedRows(db: Db, expression: string, before: number, count: number): Row[] {
  const sql = `SELECT ${COLUMNS} FROM (SELECT rowid FROM texts WHERE texts MATCH ? AND rowid BETWEEN 1 AND CAST(? AS INTEGER) ORDER BY rowid DESC LIMIT ?) AS hit
    JOIN entries ON entries.n = hit.rowid JOIN sessions ON sessions.n = entries.session ORDER BY entries.n DESC`;
  return db.all<Row>(sql, expression, before - 1, count);
}

/** Within one session the log itself is quick enough to read. */
function sessionRows(db: Db, sessionId: string, before: number, count: number): Row[] {
  const sql = `SELECT ${COLUMNS} FROM sessions JOIN entries ON entries.session = sessions.n
    WHERE sessions.id = ? AND entries.n < ? AND type = 'message' ORDER BY seq DESC LIMIT ?`;
  return db.all<Row>(sql, sessionId, before, count);
}

/** Looks at candidates until enough of them hold; between helpings the process may do other things. */
async function confirm(db: Db, groups: readonly Group[], limit: number, candidates: Candidates): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  let before = Number.MAX_SAFE_INTEGER;
  for (let count = limit + SPARE; hits.length < limit; count = Math.min(count * 2, 1000)) {
    const rows = await db.read('search the log', () => candidates(before, count));
    for (const row of rows) {
      const { role, text } = searchable(row.body);
      if (hits.length < limit && matches(fold(text), groups)) hits.push(toHit(row, role, snippet(text, groups)));
    }
    if (rows.length < count) break;
    before = rows.at(-1)?.n ?? 0;
    await breathe();
  }
  return hits;
}

/** A title stands for its session: the hit points at the session's first entry. */
function titleHits(db: Db, expression: string, groups: readonly Group[], limit: number): SearchHit[] {
  const sql = `SELECT entries.n AS n, coalesce(entries.id, '') AS id, coalesce(seq, 0) AS seq, updated_at AS at, '' AS body, sessions.id AS session_id, title
    FROM (SELECT rowid FROM texts WHERE texts MATCH ? AND rowid < 0 ORDER BY rowid LIMIT ?) AS hit
    JOIN sessions ON sessions.n = -hit.rowid LEFT JOIN entries ON entries.session = sessions.n AND seq = 1`;
  return db
    .all<Row>(sql, expression, limit + SPARE)
    .filter((row) => matches(fold(row.title ?? ''), groups))
    .map((row) => toHit(row, 'title', snippet(row.title ?? '', groups)));
}

const toHit = (row: Row, role: string, around: string): SearchHit => ({
  sessionId: row.session_id,
  entryId: row.id,
  seq: row.seq,
  at: row.at,
  role,
  ...(row.title !== null && { title: row.title }),
  snippet: around,
});
