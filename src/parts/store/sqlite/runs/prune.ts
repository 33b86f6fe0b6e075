import type { Db } from '../database/db.ts';

const DAY = 86_400_000;
/** How long the events of a run can be read again, and the run itself. */
const EVENTS_MS = DAY;
const RUNS_MS = 30 * DAY;
/** One that nobody will ask for. */
const BRIEF_MS = 300_000;
const PREFIXES_MS = 30 * DAY;
/** Runs that are over, of each owner. */
const MAX_RUNS = 10_000;
/** Rows that go at a time. */
const HELPING = 500;

/** Lets go of runs that are long over; says whether there is more. */
export function pruneRuns(db: Db, now: number): boolean {
  const gone = [
    removeRuns(db, 'SELECT n FROM runs WHERE ended_at < ? LIMIT ?', now - RUNS_MS, HELPING),
    removeRuns(db, 'SELECT n FROM runs WHERE is_brief = 1 AND ended_at < ? LIMIT ?', now - BRIEF_MS, HELPING),
    ...listOwners(db).map((owner) =>
      removeRuns(
        db,
        `SELECT n FROM runs WHERE owner = ? AND ended_at IS NOT NULL ORDER BY n DESC LIMIT ? OFFSET ${MAX_RUNS}`,
        owner,
        HELPING,
      ),
    ),
    removeEvents(db, now - EVENTS_MS),
    db.run(
      'DELETE FROM session_prefixes WHERE (owner, hash) IN (SELECT owner, hash FROM session_prefixes WHERE at < ? LIMIT ?)',
      now - PREFIXES_MS,
      HELPING,
    ),
  ];
  return gone.some((count) => count >= HELPING);
}

/** There is nothing to look for. */
export const areRunsUnused = (db: Db): boolean => db.get('SELECT 1 FROM runs LIMIT 1') === undefined;

const listOwners = (db: Db): string[] => db.all<{ owner: string }>('SELECT owner FROM owner_spending').map(({ owner }) => owner);

function removeRuns(db: Db, select: string, ...values: readonly (string | number)[]): number {
  const old = JSON.stringify(db.all<{ n: number }>(select, ...values).map(({ n }) => n));
  db.run('DELETE FROM run_events WHERE run IN (SELECT value FROM json_each(?))', old);
  return db.run('DELETE FROM runs WHERE n IN (SELECT value FROM json_each(?))', old);
}

/** All events of a run go at once. */
function removeEvents(db: Db, before: number): number {
  const sql = `SELECT n FROM runs WHERE ended_at < ? AND EXISTS (SELECT 1 FROM run_events WHERE run = n) LIMIT ?`;
  const old = db.all<{ n: number }>(sql, before, HELPING).map(({ n }) => n);
  db.run('DELETE FROM run_events WHERE run IN (SELECT value FROM json_each(?))', JSON.stringify(old));
  return old.length;
}

/** All runs of a session that goes. What it cost stays its owner's. */
export function forgetSessionRuns(db: Db, session: number): void {
  db.run('DELETE FROM run_events WHERE run IN (SELECT n FROM runs WHERE session = ?)', session);
  for (const table of ['runs', 'session_owners', 'session_prefixes', 'named_sessions'])
    db.run(`DELETE FROM ${table} WHERE session = ?`, session);
}
