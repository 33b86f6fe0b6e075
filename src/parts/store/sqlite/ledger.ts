import type { PrefixSegment } from '../../../contracts/provider.ts';
import type { CallFilter, CallRecord, Spending } from '../../../contracts/ledger.ts';
import type { Usage } from '../../../contracts/message.ts';
import type { OwnerSpending } from '../../../contracts/run-store.ts';
import type { Db, SqlValue } from './database/db.ts';
import { pick } from './migrations/004-activity.ts';
import { rememberLastCall, shareSegments, restoreCallRecord, type CallRow } from './segments.ts';

/** A call as it goes out, or as it ended. */
export function enterCall(db: Db, session: number, call: CallRecord): void {
  const sql = `SELECT n, kept, input, output, cache_read, cache_write, price FROM calls WHERE id = ? AND session = ? AND ${RESULT} IN ('running', 'lost')`;
  const open = db.get<OpenCallRow>(sql, call.id, session);
  if (open === undefined) insertCall(db, session, call);
  else closeCall(db, session, open, call);
}

const RESULT = pick('record', '$.result');

interface OpenCallRow extends Omit<SpentRow, 'calls' | 'priced' | 'price' | 'reasoning'> {
  readonly n: number;
  readonly kept: number;
  readonly price: number | null;
}

function closeCall(db: Db, session: number, open: OpenCallRow, call: CallRecord): void {
  const { usage, segments, price } = call;
  const sql = `UPDATE calls SET input = ?, output = ?, cache_read = ?, cache_write = ?, reasoning = ?, price = ?, record = ? WHERE n = ?`;
  const record = JSON.stringify({ ...call, segments: segments.slice(open.kept) });
  db.run(sql, usage.input, usage.output, usage.cacheRead, usage.cacheWrite, usage.reasoning, price ?? null, record, open.n);
  countForOwner(db, session, {
    calls: 0,
    tokens: sumUsage(usage) - (open.input + open.output + open.cache_read + open.cache_write),
    price: (price ?? 0) - (open.price ?? 0),
    unpriced: (price === undefined ? 1 : 0) - (open.price === null ? 1 : 0),
  });
}

/** The writer of a session died: what it had under way will never be heard of. */
export const loseRunningCalls = (db: Db, session: number): number =>
  db.run(`UPDATE calls SET record = json_set(record, '$.result', 'lost') WHERE session = ? AND ${RESULT} = 'running'`, session);

function insertCall(db: Db, session: number, call: CallRecord): void {
  const { usage, segments, price } = call;
  const { shares, kept, depth } = shareSegments(db, session, segments);
  const row = db.get<{ n: number }>(
    `INSERT INTO calls (session, id, at, input, output, cache_read, cache_write, reasoning, price, shares, kept, depth, record)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING n`,
    session,
    call.id,
    call.at,
    usage.input,
    usage.output,
    usage.cacheRead,
    usage.cacheWrite,
    usage.reasoning,
    price ?? null,
    shares,
    kept,
    depth,
    JSON.stringify({ ...call, segments: segments.slice(kept) }),
  );
  if (row !== undefined) rememberLastCall(db, session, { n: row.n, id: call.id, depth, segments });
  countForOwner(db, session, { calls: 1, tokens: sumUsage(usage), price: price ?? 0, unpriced: price === undefined ? 1 : 0 });
}

const sumUsage = ({ input, output, cacheRead, cacheWrite }: Usage): number => input + output + cacheRead + cacheWrite;

/** What a call cost counts for whoever the session belongs to, also when the session is gone. */
function countForOwner(db: Db, session: number, { calls, tokens, price, unpriced }: OwnerSpending): void {
  const sql = `UPDATE owner_spending SET calls = calls + ?, tokens = tokens + ?, price = price + ?, unpriced = unpriced + ?
    WHERE owner = (SELECT owner FROM session_owners WHERE session = ?)`;
  db.run(sql, calls, tokens, price, unpriced, session);
}

/** Sessions and every child that worked for them, however deep. */
const familyOf = (first: string): string => `WITH RECURSIVE family (n, id) AS (
    SELECT n, id FROM sessions WHERE ${first}
    UNION SELECT child.n, child.id FROM sessions AS child JOIN family ON child.parent_id = family.id AND child.parent_kind = 'child'
  ) SELECT n FROM family`;

export function readCalls(db: Db, { sessionId, childrenOf, since, id }: CallFilter): CallRecord[] {
  const wanted: readonly (readonly [string, SqlValue | undefined])[] = [
    ['session = (SELECT n FROM sessions WHERE id = ?)', sessionId],
    [`session IN (${familyOf("parent_id = ? AND parent_kind = 'child'")})`, childrenOf],
    ['at >= ?', since],
    ['id = ?', id],
  ];
  const given = wanted.filter((pair): pair is readonly [string, SqlValue] => pair[1] !== undefined);
  const where = given.length === 0 ? '' : `WHERE ${given.map(([sql]) => sql).join(' AND ')}`;
  const rows = db.all<CallRow>(`SELECT n, shares, kept, record FROM calls ${where} ORDER BY at, n`, ...given.map(([, value]) => value));
  const known = new Map<number, readonly PrefixSegment[]>();
  return rows.map((row) => {
    const call = restoreCallRecord(db, row, known);
    known.set(row.n, call.segments);
    return call;
  });
}

/** The session of calls whose own is gone. No session has this number. */
export const NOBODY = 0;

/** What a session that goes has cost: its parent's if it worked for one, else nobody's, in figures alone. */
export function reassignCalls(db: Db, session: number): void {
  const parent = db.get<{ n: number; id: string }>(
    `SELECT parent.n, parent.id FROM sessions AS gone JOIN sessions AS parent ON parent.id = gone.parent_id
    WHERE gone.n = ? AND gone.parent_kind = 'child'`,
    session,
  );
  if (parent === undefined) {
    const bare = `json_set(record, '$.segments', json('[]'), '$.bodyHash', '')`;
    db.run(`UPDATE calls SET session = ?, shares = NULL, kept = 0, depth = 0, record = ${bare} WHERE session = ?`, NOBODY, session);
  } else {
    const taken = `json_set(record, '$.sessionId', ?, '$.purpose', 'tool')`;
    db.run(`UPDATE calls SET session = ?, record = ${taken} WHERE session = ?`, parent.n, parent.id, session);
  }
}

interface SpentRow {
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  readonly cache_read: number;
  readonly cache_write: number;
  readonly reasoning: number;
  readonly price: number;
  readonly priced: number;
}

export function sumCalls(db: Db, sessionId: string): Spending {
  const sql = `SELECT count(*) AS calls, total(input) AS input, total(output) AS output, total(cache_read) AS cache_read,
    total(cache_write) AS cache_write, total(reasoning) AS reasoning, total(price) AS price, count(price) AS priced
    FROM calls WHERE session IN (${familyOf('id = ?')})`;
  const row = db.get<SpentRow>(sql, sessionId);
  if (row === undefined) throw new Error('a sum without GROUP BY gave no row');
  const { calls, input, output, reasoning, price, priced } = row;
  return {
    calls,
    usage: { input, output, cacheRead: row.cache_read, cacheWrite: row.cache_write, reasoning },
    price,
    unpriced: calls - priced,
  };
}
