import { createSessionId, createTimeId } from '../../../base/ids.ts';
import type { NoteEntry } from '../../../contracts/entry.ts';
import type { Db } from './database/db.ts';
import { NOBODY } from './ledger.ts';
import { computeChecksum } from './sum.ts';

/** Makes a salvaged log whole again: every entry belongs to a session and every place in it is filled. Says what is lost. */
export function repairSalvagedLog(db: Db, now: number): string[] {
  const orphans = adoptOrphans(db);
  const holes = fillHoles(db, now);
  dropStrays(db);
  return [...orphans, ...holes];
}

interface OrphanSession {
  readonly session: number;
  readonly last: number;
  readonly first_at: number;
  readonly last_at: number;
}

/** Entries whose session row is gone get a new one. */
function adoptOrphans(db: Db): string[] {
  const sql = `SELECT session, max(seq) AS last, min(at) AS first_at, max(at) AS last_at FROM entries
    WHERE session NOT IN (SELECT n FROM sessions) GROUP BY session`;
  return db.all<OrphanSession>(sql).map(({ session, last, first_at, last_at }) => {
    const id = createSessionId(new Date(first_at));
    db.run(
      `INSERT INTO sessions (n, id, source, platform, cwd, model, provider, started_at, updated_at, last_seq) VALUES (?, ?, 'recovered', 'recovered', '', '', '', ?, ?, ?)`,
      session,
      id,
      first_at,
      last_at,
      last,
    );
    return `The id and title of a session from ${new Date(first_at).toISOString()} are lost. Its entries are now in session ${id}.`;
  });
}

const LOST: NoteEntry = { type: 'note', text: 'An entry stood here. It could not be read from the damaged store and is lost.' };

/** A note takes the place of each entry that is lost: positions are referred to and must not move. */
function fillHoles(db: Db, now: number): string[] {
  const sql = `SELECT n, id, max(last_seq, (SELECT coalesce(max(seq), 0) FROM entries WHERE session = sessions.n)) AS last FROM sessions
    WHERE last <> (SELECT count(*) FROM entries WHERE session = sessions.n)`;
  return db.all<{ n: number; id: string; last: number }>(sql).map(({ n, id, last }) => {
    const there = new Set(db.all<{ seq: number }>('SELECT seq FROM entries WHERE session = ?', n).map((row) => row.seq));
    const holes = Array.from({ length: last }, (_, index) => index + 1).filter((seq) => !there.has(seq));
    for (const seq of holes) insertNote(db, n, seq, now);
    return `Session ${id} lost ${holes.length} of ${last} entries: ${listed(holes)}. Each is replaced by a note.`;
  });
}

function insertNote(db: Db, session: number, seq: number, now: number): void {
  const stored = { seq, id: createTimeId('e', now), turn_id: null, at: now, origin: 'system', body: JSON.stringify(LOST) };
  const sql = `INSERT INTO entries (session, seq, id, at, origin, type, sum, body) VALUES (?, ?, ?, ?, ?, 'note', ?, ?)`;
  db.run(sql, session, seq, stored.id, now, stored.origin, computeChecksum(stored), stored.body);
}

/** What hangs on a session that is gone without a trace cannot be shown anywhere. */
function dropStrays(db: Db): void {
  for (const table of ['claims', 'turns', 'inbox', 'calls'])
    db.run(`DELETE FROM ${table} WHERE session <> ? AND session NOT IN (SELECT n FROM sessions)`, NOBODY);
  db.run('DELETE FROM delivery_parts WHERE delivery NOT IN (SELECT n FROM deliveries)');
}

const listed = (numbers: readonly number[]): string => `${numbers.slice(0, 10).join(', ')}${numbers.length > 10 ? ', …' : ''}`;
