import { createSessionId, createTimeId } from '../../../base/ids.ts';
import type { MessageEntry } from '../../../contracts/entry.ts';
import type { Message } from '../../../contracts/message.ts';
import type { Db } from './database/db.ts';
import { fromJson } from './database/json.ts';
import { NOBODY } from './ledger.ts';
import { fillHoles, type LostEntry } from './salvage-holes.ts';
import { computeChecksum } from './sum.ts';

/** Makes a salvaged log whole again: every entry belongs to a session and every place in it is filled. Says what is lost. */
export function repairSalvagedLog(db: Db, now: number, areTurnsLost = false): string[] {
  const orphans = adoptOrphans(db);
  const holes = closeGaps(db, now, areTurnsLost);
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

/** Counters that say more than this were damaged themselves: so many entries do not vanish from the end of a session. */
const MAX_LOST_AT_END = 10_000;

interface GappySession {
  readonly n: number;
  readonly id: string;
  readonly counted: number;
  readonly greatest: number;
  readonly found: number;
}

/** Something takes the place of each entry that is lost: positions are referred to and must not move. */
function closeGaps(db: Db, now: number, areTurnsLost: boolean): string[] {
  const sql = `SELECT sessions.n, sessions.id, last_seq AS counted, coalesce(max(seq), 0) AS greatest, count(seq) AS found
    FROM sessions LEFT JOIN entries ON entries.session = sessions.n GROUP BY sessions.n`;
  return db.all<GappySession>(sql).flatMap((session) => {
    const last = session.counted - session.greatest > MAX_LOST_AT_END ? session.greatest : Math.max(session.counted, session.greatest);
    const cut = session.counted > last ? [`Session ${session.id}: its counter was damaged (${session.counted} entries).`] : [];
    if (last === session.found && !areTurnsLost) return cut;
    const there = readMessages(db, session.n);
    const filled = fillHoles(there, last, isActing(db, session.n));
    for (const [seq, replacement] of filled) insertReplacement(db, session.n, seq, replacement, now);
    const lost = [...filled.keys()].filter((seq) => seq <= last);
    if (lost.length === 0)
      return [...cut, ...(filled.size === 0 ? [] : [`Session ${session.id} lost the results of ${filled.size} tool calls.`])];
    return [
      ...cut,
      `Session ${session.id} lost ${lost.length} of ${last} entries: ${listed(lost)}. Each is replaced, so that the session can go on.`,
    ];
  });
}

function readMessages(db: Db, session: number): ReadonlyMap<number, Message | 'other'> {
  const rows = db.all<{ seq: number; type: string; body: string }>('SELECT seq, type, body FROM entries WHERE session = ?', session);
  return new Map(rows.map(({ seq, type, body }) => [seq, type === 'message' ? fromJson<MessageEntry>(body, 'an entry').message : 'other']));
}

/** The turn has calls that it answers itself when it goes on. */
const isActing = (db: Db, session: number): boolean =>
  db.get("SELECT 1 FROM turns WHERE session = ? AND phase = 'act'", session) !== undefined;

function insertReplacement(db: Db, session: number, seq: number, { origin, body }: LostEntry, now: number): void {
  const stored = { seq, id: createTimeId('e', now), turn_id: null, at: now, origin, body: JSON.stringify(body) };
  const sql = `INSERT INTO entries (session, seq, id, at, origin, type, sum, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
  db.run(sql, session, seq, stored.id, now, origin, body.type, computeChecksum(stored), stored.body);
}

/** What hangs on a session that is gone without a trace cannot be shown anywhere. */
function dropStrays(db: Db): void {
  for (const table of ['claims', 'turns', 'inbox', 'calls'])
    db.run(`DELETE FROM ${table} WHERE session <> ? AND session NOT IN (SELECT n FROM sessions)`, NOBODY);
  db.run('DELETE FROM delivery_parts WHERE delivery NOT IN (SELECT n FROM deliveries)');
}

const listed = (numbers: readonly number[]): string => `${numbers.slice(0, 10).join(', ')}${numbers.length > 10 ? ', …' : ''}`;
