import type {
  MemoryBacklog,
  MemoryCursorClaim,
  MemoryCursorStore,
  MemoryPosition,
  NewMemoryCursor,
  TakeCursorsOptions,
  TakenMemoryCursor,
} from '../../../contracts/memory-cursors.ts';
import type { MemoryScope } from '../../../contracts/memory-provider.ts';
import type { EndReason } from '../../../contracts/outcome.ts';
import { StoreError } from '../../../contracts/session-store.ts';
import type { Db } from './database/db.ts';
import { fromJson } from './database/json.ts';
import type { GatewayBase, RowHolder } from './gateway/base.ts';
import { isDead, isNear, nameProcess } from './gateway/holders.ts';

interface CursorRow {
  readonly subject: string;
  readonly scope: string;
  readonly told: number;
  readonly end_at: number | null;
  readonly end_seq: number;
  readonly attempts: number;
  readonly token: number;
  readonly process: string | null;
  readonly lease: number | null;
  /** Of the session, if it is one. */
  readonly ended_at: number | null;
  readonly end_reason: EndReason | null;
}

type CursorBase = Pick<GatewayBase, 'db' | 'now' | 'me'>;

export function openMemoryCursors({ db, now, me }: CursorBase): MemoryCursorStore {
  const write = <Result>(work: () => Result): Promise<Result> => db.write('keep how far a memory is', work, 'with_next');
  const read = <Result>(work: () => Result): Promise<Result> => db.read('look at what a memory is to be told', work);
  return {
    follow: (cursor) => db.write('follow a session for a memory', () => followSubject(db, cursor)),
    take: async (provider, options) => {
      const free = () => listFree(db, provider, options, me(), now());
      // Most looks find nothing, and they take no lock.
      if ((await read(free)).length === 0) return [];
      return write(() => free().map((row) => takeRow(db, provider, row, { me: me(), lease: now() + options.leaseMs })));
    },
    move: (taken, to) => write(() => moveRow(db, taken, to)),
    release: (taken, trouble) =>
      write(() => {
        const sql = trouble === undefined ? RELEASE : FAIL;
        const values = trouble === undefined ? [] : [now() + trouble.delayMs, now(), trouble.why];
        refuseUnless(db.run(sql, ...values, taken.provider, taken.subject, taken.token) === 1, taken);
      }),
    backlog: (provider) => read(() => readBacklog(db, provider)),
    nextDue: (provider) => read(() => db.get<{ due: number | null }>(NEXT_DUE, provider)?.due ?? undefined),
  };
}

const HELD = 'WHERE provider = ? AND subject = ? AND token = ? AND process IS NOT NULL';
const RELEASE = `UPDATE memory_cursors SET process = NULL, lease = NULL, attempts = 0, failed_at = NULL, why = NULL, not_before = 0 ${HELD}`;
const FAIL = `UPDATE memory_cursors SET process = NULL, lease = NULL, attempts = attempts + 1, not_before = ?, failed_at = ?, why = ? ${HELD}`;

function followSubject(db: Db, { provider, subject, from, scope }: NewMemoryCursor): void {
  const sql = `INSERT INTO memory_cursors (provider, subject, scope, told, seen, end_seq) VALUES (?1, ?2, ?3, ?4, ?4, ?4)
    ON CONFLICT (provider, subject) DO UPDATE SET scope = ?3, is_open = 1`;
  db.run(sql, provider, subject, JSON.stringify(scope ?? null), from);
}

/** A session that has more than was looked at, or an end that was not told. */
const BEHIND = `FROM memory_cursors AS c JOIN sessions AS s ON s.id = c.subject
  WHERE c.provider = ?1 AND c.is_open = 1 AND (s.last_seq > c.seen OR s.ended_at > coalesce(c.end_at, 0))`;
const COLUMNS = `c.subject, c.scope, c.told, c.end_at, c.end_seq, c.attempts, c.token, c.process, c.lease`;
const NEXT_DUE = `SELECT min(c.not_before) AS due ${BEHIND}`;

function listFree(db: Db, provider: string, { subject, limit }: TakeCursorsOptions, me: RowHolder, now: number): CursorRow[] {
  const rows =
    subject === undefined
      ? db.all<CursorRow>(
          `SELECT ${COLUMNS}, s.ended_at, s.end_reason ${BEHIND} AND c.not_before <= ?2 ORDER BY s.updated_at, c.n LIMIT ?3`,
          provider,
          now,
          limit,
        )
      : db.all<CursorRow>(
          `SELECT ${COLUMNS}, s.ended_at, s.end_reason FROM memory_cursors AS c LEFT JOIN sessions AS s ON s.id = c.subject
             WHERE c.provider = ? AND c.subject = ? AND c.not_before <= ?`,
          provider,
          subject,
          now,
        );
  return rows.filter(({ process, lease }) => process === null || (isNear(process, me) ? isDead(process, me) : (lease ?? 0) <= now));
}

const TAKE = 'UPDATE memory_cursors SET token = token + 1, process = ?, lease = ? WHERE provider = ? AND subject = ?';

function takeRow(
  db: Db,
  provider: string,
  row: CursorRow,
  { me, lease }: { readonly me: RowHolder; readonly lease: number },
): TakenMemoryCursor {
  db.run(TAKE, nameProcess(me), lease, provider, row.subject);
  const { subject, token, told, end_seq: endSeq, attempts, ended_at: at, end_reason: reason } = row;
  const scope = fromJson<MemoryScope | null>(row.scope, `the memory cursor of ${subject}`);
  return {
    provider,
    subject,
    token: token + 1,
    told,
    endSeq,
    attempts,
    ...(scope !== null && { scope }),
    ...(at !== null && reason !== null && at > (row.end_at ?? 0) && { ended: { at, reason } }),
  };
}

const MOVE = `UPDATE memory_cursors SET told = max(told, ?), seen = max(seen, ?) ${HELD}`;
/** Nothing more is expected of a session whose end is told, unless it was taken up again meanwhile. */
const END = `UPDATE memory_cursors SET end_at = ?, end_seq = ?,
  is_open = EXISTS (SELECT 1 FROM sessions WHERE id = subject AND (last_seq > seen OR ended_at IS NULL)) ${HELD}`;

function moveRow(db: Db, taken: MemoryCursorClaim, { told, seen, end }: MemoryPosition): void {
  const held = [taken.provider, taken.subject, taken.token] as const;
  refuseUnless(db.run(MOVE, told, seen, ...held) === 1, taken);
  if (end !== undefined) db.run(END, end.at, end.seq, ...held);
}

function refuseUnless(isHeld: boolean, { provider, subject, token }: MemoryCursorClaim): void {
  if (isHeld) return;
  throw new StoreError(
    'fenced',
    `Nothing was moved: what ${provider} was told of ${subject} is no longer in these hands (token ${token}). Somebody else goes on with it.`,
  );
}

function readBacklog(db: Db, provider: string): MemoryBacklog {
  const sessions = db.get<{ count: number }>(`SELECT count(*) AS count ${BEHIND}`, provider)?.count ?? 0;
  const sql = `SELECT subject, failed_at, why, attempts FROM memory_cursors
    WHERE provider = ? AND failed_at IS NOT NULL ORDER BY failed_at DESC LIMIT 1`;
  const last = db.get<{ subject: string; failed_at: number; why: string | null; attempts: number }>(sql, provider);
  return {
    sessions,
    ...(last !== undefined && {
      lastTrouble: { subject: last.subject, at: last.failed_at, why: last.why ?? '', attempts: last.attempts },
    }),
  };
}
