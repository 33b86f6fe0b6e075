import type { PrefixSegment } from '../../../contracts/provider.ts';
import type { CallRecord } from '../../../contracts/ledger.ts';
import type { Db } from './database/db.ts';
import { fromJson } from './database/json.ts';

/**
 * Every call names all parts of its request, and nearly all of them are those of the call before. A row keeps only what is
 * new and points at the row it shares its first parts with; kept whole, the ledger of a session would grow with its square.
 */
export interface SharedSegments {
  /** The row shared with; none for a row that stands alone. */
  readonly shares: number | null;
  /** How many parts are shared. */
  readonly kept: number;
  /** How many rows there are to go back to one that stands alone. */
  readonly depth: number;
}
interface LastCall {
  readonly n: number;
  readonly id: string;
  readonly depth: number;
  readonly segments: readonly PrefixSegment[];
}

/** Rows to go back at most. */
const DEEPEST = 64;
/** Sessions whose last call is kept in mind: as many as are kept open at once. */
const MAX_REMEMBERED = 64;
/** The last calls of the sessions this process wrote lately. Only a hint: it is compared with the store before it is used. */
const LAST = new WeakMap<Db, Map<number, LastCall>>();

export function shareSegments(db: Db, session: number, segments: readonly PrefixSegment[]): SharedSegments {
  const last = LAST.get(db)?.get(session) ?? lastCall(db, session);
  const there =
    last !== undefined && db.get('SELECT 1 FROM calls WHERE n = ? AND id = ? AND session = ?', last.n, last.id, session) !== undefined;
  const kept = there && last.depth < DEEPEST ? sameBeginning(last.segments, segments) : 0;
  return kept === 0 || last === undefined ? { shares: null, kept: 0, depth: 0 } : { shares: last.n, kept, depth: last.depth + 1 };
}

export function rememberLastCall(db: Db, session: number, call: LastCall): void {
  const last = LAST.get(db) ?? new Map<number, LastCall>();
  LAST.set(db, last);
  last.delete(session);
  last.set(session, call);
  const [oldest] = last.keys();
  if (last.size > MAX_REMEMBERED && oldest !== undefined) last.delete(oldest);
}

export interface CallRow {
  readonly n: number;
  readonly shares: number | null;
  readonly kept: number;
  readonly record: string;
}

/** A call as it was entered. Where the row it shares with is lost, so are the shared parts. */
export function restoreCallRecord(db: Db, row: CallRow, known: Map<number, readonly PrefixSegment[]>): CallRecord {
  const record = fromJson<CallRecord>(row.record, 'a call of the ledger');
  if (row.shares === null) return record;
  return { ...record, segments: [...segmentsAt(db, row.shares, known).slice(0, row.kept), ...record.segments] };
}

function segmentsAt(db: Db, n: number, known: Map<number, readonly PrefixSegment[]>): readonly PrefixSegment[] {
  const found = known.get(n);
  if (found !== undefined) return found;
  const row = db.get<CallRow>('SELECT n, shares, kept, record FROM calls WHERE n = ?', n);
  const segments = row === undefined ? [] : restoreCallRecord(db, row, known).segments;
  known.set(n, segments);
  return segments;
}

function lastCall(db: Db, session: number): LastCall | undefined {
  const row = db.get<CallRow & { id: string; depth: number }>(
    'SELECT n, id, shares, kept, depth, record FROM calls WHERE n = (SELECT max(n) FROM calls WHERE session = ?)',
    session,
  );
  return row && { n: row.n, id: row.id, depth: row.depth, segments: restoreCallRecord(db, row, new Map()).segments };
}

function sameBeginning(before: readonly PrefixSegment[], now: readonly PrefixSegment[]): number {
  const first = now.findIndex((segment, index) => segment.hash !== before[index]?.hash || segment.name !== before[index].name);
  return first < 0 ? now.length : first;
}
