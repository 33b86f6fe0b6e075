import { setImmediate as breathe } from 'node:timers/promises';
import { isStoreError, type SearchHit, type SearchQuery } from '../../../../contracts/session-store.ts';
import type { Db } from '../database/db.ts';
import { catchUp, isBehind, TITLES } from './catch-up.ts';
import { lookUp } from './expression.ts';
import { findHit } from './hits.ts';
import { parseQuery, type NeedleGroup } from './query.ts';
import { NARROW, WIDE, type ExpansionLimits } from './vocabulary.ts';

/** What the store gives when nobody says how many. */
const LIMIT = 20;

/** Hits, newest first. Takes in what is new before it looks. */
export async function searchLog(db: Db, { text, limit = LIMIT, sessionId }: SearchQuery): Promise<SearchHit[]> {
  const groups = parseQuery(text);
  if (groups.length === 0 || limit <= 0) return [];
  if (sessionId !== undefined) return gather(db, groups, limit, (below, count) => numbersInSession(db, sessionId, below, count));
  await catchUpFully(db);
  const near = await searchIndex(db, groups, limit, NARROW);
  return near.hits.length < limit && !near.complete ? (await searchIndex(db, groups, limit, WIDE)).hits : near.hits;
}

async function searchIndex(db: Db, groups: readonly NeedleGroup[], limit: number, breadth: ExpansionLimits) {
  const { expression, complete } = await db.read('look up the words', () => lookUp(db, groups, breadth));
  if (expression === '') return { hits: [], complete };
  return { hits: await gather(db, groups, limit, (below, count) => numbersInIndex(db, expression, below, count)), complete };
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
    if (!isStoreError(error, 'read_only', 'full', 'busy')) throw error;
  }
}

/** Numbers of texts that may hold what is looked for, below a number, greatest (newest) first. */
type Candidates = (below: number, count: number) => number[];

const numbersInIndex = (db: Db, expression: string, below: number, count: number): number[] =>
  db
    .all<{ n: number }>(
      'SELECT rowid AS n FROM texts WHERE texts MATCH ? AND rowid < CAST(? AS INTEGER) ORDER BY rowid DESC LIMIT ?',
      expression,
      below,
      count,
    )
    .map((row) => row.n);

/** Within one session the log itself is quick enough to read. */
function numbersInSession(db: Db, sessionId: string, below: number, count: number): number[] {
  const sql = `SELECT n FROM entries WHERE session = (SELECT n FROM sessions WHERE id = ?) AND n < ? AND type = 'message' ORDER BY seq DESC LIMIT ?`;
  return db.all<{ n: number }>(sql, sessionId, below, count).map((row) => row.n);
}

/** Candidates of the first helping; each further one is twice as large. */
const HELPING = 100;
const LARGEST = 2000;

/** Looks at candidates until enough of them hold; between helpings the process may do other things. */
async function gather(db: Db, groups: readonly NeedleGroup[], limit: number, candidates: Candidates): Promise<SearchHit[]> {
  const titles: SearchHit[] = [];
  const entries: SearchHit[] = [];
  const take = (numbers: readonly number[]) => {
    for (const n of numbers) {
      const hits = n > TITLES ? titles : entries;
      if (hits.length >= limit) continue;
      const hit = findHit(db, n, groups);
      if (hit !== undefined) hits.push(hit);
    }
    return numbers;
  };
  let below = Number.MAX_SAFE_INTEGER;
  for (let count = HELPING; entries.length < limit; count = Math.min(count * 2, LARGEST)) {
    const numbers = await db.read('search the log', () => take(candidates(below, count)));
    if (numbers.length < count) break;
    below = Math.min(numbers.at(-1) ?? 0, titles.length < limit ? below : TITLES);
    await breathe();
  }
  return [...titles, ...entries].toSorted((a, b) => b.at - a.at).slice(0, limit);
}
