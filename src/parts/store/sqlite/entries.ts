import { timeId } from '../../../base/ids.ts';
import type { Entry, EntryBody, NewEntry, Origin } from '../../../contracts/entry.ts';
import type { Db } from './db.ts';

interface EntryRow {
  readonly seq: number;
  readonly id: string;
  readonly turn_id: string | null;
  readonly at: number;
  readonly origin: Origin;
  readonly body: string;
}
/** Where new entries go: the session and the position of the last one in it. */
export interface Place {
  readonly session: number;
  readonly sessionId: string;
  readonly lastSeq: number;
  readonly turnId: string | undefined;
  readonly at: number;
}

export function appendEntries(db: Db, place: Place, fresh: readonly NewEntry[]): Entry[] {
  return fresh.map((entry, index) => appendEntry(db, place, place.lastSeq + index + 1, entry));
}

function appendEntry(db: Db, place: Place, seq: number, { id = timeId('e', place.at), origin, ...body }: NewEntry): Entry {
  db.run(
    'INSERT INTO entries (session, seq, id, turn_id, at, origin, type, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    place.session,
    seq,
    id,
    place.turnId ?? null,
    place.at,
    origin,
    body.type,
    JSON.stringify(body),
  );
  const head = { id, sessionId: place.sessionId, seq, at: place.at, origin };
  return { ...head, ...(place.turnId !== undefined && { turnId: place.turnId }), ...body };
}

export function readEntries(db: Db, sessionId: string, afterSeq: number): Entry[] {
  const sql = `SELECT seq, id, turn_id, at, origin, body FROM entries
    WHERE session = (SELECT n FROM sessions WHERE id = ?) AND seq > ? ORDER BY seq`;
  return db.all<EntryRow>(sql, sessionId, afterSeq).map((row) => toEntry(sessionId, row));
}

function toEntry(sessionId: string, row: EntryRow): Entry {
  const head = { id: row.id, sessionId, seq: row.seq, at: row.at, origin: row.origin };
  const body: EntryBody = JSON.parse(row.body);
  return { ...head, ...(row.turn_id !== null && { turnId: row.turn_id }), ...body };
}
