import { QUARTER_HOUR, type ActivityCounts, type CallCount, type CallRecord, type ToolCount } from '../../../contracts/ledger.ts';
import type { Db } from './database/db.ts';
import { pick, TOOL } from './migrations/004-activity.ts';

const quarter = (column: string): string => `${column} / ${QUARTER_HOUR} * ${QUARTER_HOUR}`;
/** Entries that were written in their session; what a branch copied was counted there. */
const OWN = `(session NOT IN (SELECT n FROM sessions WHERE copied_seq > 0) OR seq > (SELECT copied_seq FROM sessions WHERE n = session))`;

/** Every question is answered from an index that holds all it asks for (migration 4): neither texts nor records are read. */
export function readActivity(db: Db, since = 0): ActivityCounts {
  return {
    calls: db.all<CallCountRow>(CALLS, since).map(toCallCount),
    turns: db.all<ActivityCounts['turns'][number]>(TURNS, since).map((row) => ({ ...row })),
    sessions: db.all<ActivityCounts['sessions'][number]>(SESSIONS, since).map((row) => ({ ...row })),
    tools: db.all<ToolCount>(TOOLS, since).map((row) => ({ ...row })),
  };
}

/** LIMIT keeps the inner query apart: merged into the outer one it would read every row for what the index holds already. */
const apart = (columns: string, rest: string): string => `(SELECT ${columns} FROM ${rest} LIMIT -1)`;

const CALLS = `SELECT quarter, provider, model, purpose, result, count(*) AS calls, count(estimated) AS estimated, total(ms) AS ms, total(input) AS input,
    total(output) AS output, total(cache_read) AS cache_read, total(cache_write) AS cache_write, total(reasoning) AS reasoning,
    total(price) AS price, count(price) AS priced
  FROM ${apart(
    `${quarter('at')} AS quarter, ${pick('record', '$.runtime.provider')} AS provider, ${pick('record', '$.runtime.model')} AS model,
    ${pick('record', '$.purpose')} AS purpose, ${pick('record', '$.result')} AS result, ${pick('record', '$.usageEstimated')} AS estimated,
    ${pick('record', '$.ms')} AS ms, input, output, cache_read, cache_write, reasoning, price`,
    'calls WHERE at >= ?',
  )} GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`;
const TURNS = `SELECT quarter AS at, exitReason, count(*) AS turns
  FROM ${apart(`${quarter('at')} AS quarter, ${pick('body', '$.exitReason')} AS exitReason`, `entries WHERE type = 'outcome' AND at >= ? AND ${OWN}`)}
  GROUP BY 1, 2 ORDER BY 1, 2`;
const TOOLS = `SELECT name, count(*) AS calls, total(failed) AS failed, count(ms) AS timed, total(ms) AS ms
  FROM ${apart(
    `${TOOL} AS name, ${pick('body', '$.message.failed')} AS failed, ${pick('body', '$.ms')} AS ms`,
    `entries WHERE origin = 'tool' AND at >= ? AND ${OWN}`,
  )} GROUP BY 1 ORDER BY calls DESC, name`;
const SESSIONS = `SELECT ${quarter('started_at')} AS at, source, count(*) AS sessions
  FROM sessions WHERE started_at >= ? AND last_seq > 0 GROUP BY 1, 2 ORDER BY 1, 2`;

interface CallCountRow {
  readonly quarter: number;
  readonly provider: string;
  readonly model: string;
  readonly purpose: NonNullable<CallRecord['purpose']> | null;
  readonly result: CallRecord['result'];
  readonly calls: number;
  readonly estimated: number;
  readonly ms: number;
  readonly input: number;
  readonly output: number;
  readonly cache_read: number;
  readonly cache_write: number;
  readonly reasoning: number;
  readonly price: number;
  readonly priced: number;
}
const toCallCount = ({
  quarter: at,
  provider,
  model,
  purpose,
  result,
  calls,
  estimated,
  ms,
  price,
  priced,
  ...row
}: CallCountRow): CallCount => ({
  at,
  provider,
  model,
  ...(purpose !== null && { purpose }),
  result,
  calls,
  estimated,
  ms,
  usage: { input: row.input, output: row.output, cacheRead: row.cache_read, cacheWrite: row.cache_write, reasoning: row.reasoning },
  price,
  unpriced: calls - priced,
});
