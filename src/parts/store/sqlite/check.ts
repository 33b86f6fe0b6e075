import { setImmediate as breathe } from 'node:timers/promises';
import type { Db } from './database/db.ts';
import { isUnreadable } from './database/errors.ts';
import { countStuckLines } from './gateway/line.ts';
import { findMissingSchema } from './shape.ts';
import { isAboutIndex } from './search/catch-up.ts';
import { computeChecksum, type StoredEntry } from './sum.ts';
import { COUNTED } from './entries.ts';

/** What is wrong with the store, in words; nothing when it is sound. */
export interface StoreFindings {
  /** Damage to the log itself: pages, indexes, tables or columns that are missing, texts that do not parse. */
  readonly damage: readonly string[];
  /** Derived tables that say something else than the log. */
  readonly stale: readonly string[];
}

export async function findTrouble(db: Db): Promise<StoreFindings> {
  try {
    const { damage, stale } = await db.read('check the store', () => lookAtAll(db));
    return { damage: damage.length > 0 ? damage : await changedEntries(db), stale };
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return { damage: [error instanceof Error ? error.message : String(error)], stale: [] };
  }
}

function lookAtAll(db: Db): StoreFindings {
  // First of all: what follows asks for every part.
  const lacking = findMissingSchema(db);
  if (lacking.log.length > 0) return { damage: lacking.log, stale: lacking.index };
  refreshIndex(db);
  const lines = db.all<{ integrity_check: string }>('PRAGMA integrity_check(20)').map((row) => row.integrity_check);
  const said = lines.filter((line) => line !== 'ok');
  const aboutIndex = said.filter(isAboutIndex);
  const damage = said.filter((line) => !aboutIndex.includes(line)).map((line) => `SQLite's check of the file says: ${line}`);
  if (damage.length > 0) return { damage, stale: [] };
  return {
    damage: [...brokenTexts(db), ...gaps(db)],
    stale: [...lacking.index, ...aboutIndex.map((line) => `The search index is damaged: ${line}`), ...wrongCounters(db), ...stuckLines(db)],
  };
}

/**
 * A full-text table that this connection has searched keeps what it knows of its segments, and SQLite's check does not ask whether
 * another process merged them meanwhile; a search does.
 */
function refreshIndex(db: Db): void {
  for (const table of ['texts', 'word_parts']) {
    try {
      db.all(`SELECT rowid FROM ${table} WHERE ${table} MATCH '"abc"' LIMIT 1`);
    } catch {
      // The check says what is wrong with it.
    }
  }
}

const HELPING = 1000;

/** Reads the whole log, a helping at a time, and adds up every entry. */
async function changedEntries(db: Db): Promise<string[]> {
  const sql = 'SELECT n, seq, id, turn_id, at, origin, sum, body FROM entries WHERE n > ? ORDER BY n LIMIT ?';
  let changed = 0;
  for (let last = 0, more = true; more; await breathe()) {
    const rows = await db.read('read the log', () => db.all<StoredEntry & { n: number; sum: number }>(sql, last, HELPING));
    changed += rows.filter((row) => computeChecksum(row) !== row.sum).length;
    last = rows.at(-1)?.n ?? last;
    more = rows.length === HELPING;
  }
  return changed === 0 ? [] : [`The stored text of ${changed} entries is damaged.`];
}

/** Columns whose text must parse. */
export const JSON_COLUMNS = [
  ['turns', 'state', 'turn cells'],
  ['calls', 'record', 'calls of the ledger'],
  ['inbox', 'body', 'messages in the inbox'],
  ['arrivals', 'body', 'messages that arrived'],
  ['deliveries', 'body', 'deliveries'],
  ['delivery_parts', 'content', 'parts of deliveries'],
  ['routes', 'facts', 'routes'],
  ['questions', 'action', 'questions to the owner'],
  ['grants', 'scope', 'consents'],
  ['processes', 'trace', 'background processes'],
  ['runs', 'request', 'runs'],
  ['run_events', 'data', 'events of runs'],
  ['session_owners', 'facts', 'owners of sessions'],
  ['jobs', 'definition', 'jobs'],
  ['job_runs', 'body', 'runs of jobs'],
  ['memory_cursors', 'scope', 'places of memories'],
] as const;

const brokenTexts = (db: Db): string[] =>
  JSON_COLUMNS.flatMap(([table, column, what]) => {
    const broken = count(db, `SELECT count(*) AS found FROM ${table} WHERE NOT json_valid(${column})`);
    return broken === 0 ? [] : [`The stored text of ${broken} ${what} is damaged.`];
  });

/** A counter that is ahead of the log shows that its last entries are missing. */
const gaps = (db: Db): string[] => {
  const sql = `SELECT 1 FROM sessions LEFT JOIN entries ON entries.session = sessions.n GROUP BY sessions.n HAVING max(last_seq, coalesce(max(seq), 0)) <> count(seq)`;
  const broken = count(db, `SELECT count(*) AS found FROM (${sql})`);
  return broken === 0 ? [] : [`Entries are missing in ${broken} ${broken === 1 ? 'session' : 'sessions'}.`];
};

const wrongCounters = (db: Db): string[] => {
  const wrong = count(db, `SELECT count(*) AS found FROM sessions WHERE (last_seq, messages) IS NOT (${COUNTED})`);
  return wrong === 0 ? [] : [`The counters of ${wrong} sessions do not agree with their entries.`];
};

const stuckLines = (db: Db): string[] => {
  const stuck = countStuckLines(db);
  return stuck === 0 ? [] : [`The messages of ${stuck} chats wait for one that is not there.`];
};

const count = (db: Db, sql: string): number => db.get<{ found: number }>(sql)?.found ?? 0;
