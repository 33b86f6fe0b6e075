import { createTimeId } from '../../../base/ids.ts';
import type { Entry, EntryBody, NewEntry, EntryOrigin } from '../../../contracts/entry.ts';
import type { Db } from './database/db.ts';
import { insertWithFreshId } from './database/fresh-id.ts';
import { createDamagedError, fromJson } from './database/json.ts';
import { computeChecksum, type StoredEntry } from './sum.ts';

/** A session's counters as its entries have them. */
export const COUNTED = `SELECT coalesce(max(seq), 0), count(*) FILTER (WHERE type = 'message') FROM entries WHERE session = sessions.n`;

interface EntryRow extends StoredEntry {
  readonly origin: EntryOrigin;
  readonly sum: number;
}
/** Where new entries go: the session and the position of the last one in it. */
export interface EntryPosition {
  readonly session: number;
  readonly sessionId: string;
  readonly lastSeq: number;
  readonly turnId: string | undefined;
  readonly at: number;
}

export function appendEntries(db: Db, place: EntryPosition, fresh: readonly NewEntry[]): Entry[] {
  return fresh.map((entry, index) => appendEntry(db, place, place.lastSeq + index + 1, entry));
}

function appendEntry(db: Db, place: EntryPosition, seq: number, { id: given, origin, ...body }: NewEntry): Entry {
  const stored = { seq, turn_id: place.turnId ?? null, at: place.at, origin, body: JSON.stringify(body) };
  const insert = (verb: string, id: string) => insertEntry(db, verb, place.session, body.type, { ...stored, id });
  if (given !== undefined) insert('INSERT', given);
  const id =
    given ??
    insertWithFreshId(
      () => createTimeId('e', place.at),
      (fresh) => insert('INSERT OR IGNORE', fresh),
    );
  const head = { id, sessionId: place.sessionId, seq, at: place.at, origin };
  return { ...head, ...(place.turnId !== undefined && { turnId: place.turnId }), ...body };
}

function insertEntry(db: Db, verb: string, session: number, type: string, stored: StoredEntry): number {
  const { seq, id, turn_id, at, origin, body } = stored;
  const sql = `${verb} INTO entries (session, seq, id, turn_id, at, origin, type, sum, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
  return db.run(sql, session, seq, id, turn_id, at, origin, type, computeChecksum(stored), body);
}

export function readEntries(db: Db, sessionId: string, afterSeq: number): Entry[] {
  const sql = `SELECT seq, id, turn_id, at, origin, sum, body FROM entries
    WHERE session = (SELECT n FROM sessions WHERE id = ?) AND seq > ? ORDER BY seq`;
  return db.all<EntryRow>(sql, sessionId, afterSeq).map((row) => toEntry(sessionId, row));
}

function toEntry(sessionId: string, row: EntryRow): Entry {
  if (computeChecksum(row) !== row.sum) throw createDamagedError(`entry ${row.seq} of session ${sessionId}`);
  const head = { id: row.id, sessionId, seq: row.seq, at: row.at, origin: row.origin };
  const body = fromJson<EntryBody>(row.body, `entry ${row.seq} of session ${sessionId}`);
  return { ...head, ...(row.turn_id !== null && { turnId: row.turn_id }), ...body };
}
