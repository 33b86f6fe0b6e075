import { parseJson, readNumberAt, readPath, readStringAt } from '../../../base/json.ts';
import type { ForeignCost, ForeignSession } from '../foreign/foreign-home.ts';
import type { ForeignDatabase } from '../foreign/open-database.ts';
import { toForeignMessage, type MessageRow } from './messages.ts';

/** Columns that are read of each session; the text of its system prompt is long and not among them. */
const COLUMNS = [
  'id',
  'source',
  'model',
  'model_config',
  'parent_session_id',
  'started_at',
  'end_reason',
  'title',
  'cwd',
  'billing_provider',
  'billing_base_url',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'estimated_cost_usd',
  'actual_cost_usd',
  'api_call_count',
] as const;

/** Every session that anything was said in, oldest first. */
export function readSessions(database: ForeignDatabase): readonly ForeignSession[] {
  const there = database.columns('sessions');
  const columns = COLUMNS.filter((name) => there.has(name));
  const rows = database.all(`SELECT ${columns.join(', ')} FROM sessions ORDER BY started_at, id`);
  const logs = readLogStates(database);
  const ended = new Map(rows.map((row) => [String(row['id']), readStringAt(row, 'end_reason')]));
  return rows.flatMap((row) => {
    const log = logs.get(String(row['id']));
    return log === undefined ? [] : [toSession(row, log, ended, database)];
  });
}

interface LogState {
  readonly messages: number;
  readonly fingerprint: string;
}

function readLogStates(database: ForeignDatabase): ReadonlyMap<string, LogState> {
  const there = database.columns('messages');
  const flags = ['active', 'compacted'].filter((name) => there.has(name)).map((name) => `, sum(${name}) AS ${name}`);
  const rows = database.all(`SELECT session_id, count(*) AS messages, max(id) AS last${flags.join('')} FROM messages GROUP BY session_id`);
  return new Map(
    rows.map((row) => [
      String(row['session_id']),
      { messages: Number(row['messages']), fingerprint: [row['messages'], row['last'], row['active'], row['compacted']].join(':') },
    ]),
  );
}

type ForeignSessionRow = Readonly<Record<string, unknown>>;

function toSession(
  row: ForeignSessionRow,
  log: LogState,
  ended: ReadonlyMap<string, string | undefined>,
  database: ForeignDatabase,
): ForeignSession {
  const key = String(row['id']);
  const parent = parentOf(row, ended);
  return {
    key,
    ...log,
    source: readStringAt(row, 'source') ?? 'cli',
    startedAt: Math.round(Number(row['started_at']) * 1000),
    ...optional({ title: row['title'], cwd: row['cwd'], model: row['model'], provider: row['billing_provider'] }),
    ...(parent !== undefined && { parent }),
    read: () => {
      const messages = database.all('SELECT * FROM messages WHERE session_id = ? ORDER BY id', key);
      return { messages: messages.map((message: MessageRow) => toForeignMessage(message)), costs: costsOf(row, messages) };
    },
  };
}

/** Those that are texts with something in them. */
const optional = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fields).filter((pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1] !== ''));

/** A session goes on in another after a compression; one that was delegated works for its parent; others branch off. */
function parentOf(row: ForeignSessionRow, ended: ReadonlyMap<string, string | undefined>): ForeignSession['parent'] {
  const key = readStringAt(row, 'parent_session_id');
  if (key === undefined || key === '') return undefined;
  const config = parseJson(readStringAt(row, 'model_config') ?? '{}');
  const isBranch = typeof readPath(config, '_branched_from') === 'string' || ended.get(key) === 'branched';
  if (isBranch) return { key, kind: 'branch' };
  return { key, kind: ended.get(key) === 'compression' && readPath(config, '_delegate_from') === undefined ? 'reset' : 'child' };
}

/** One sum for the whole session: the calls themselves are not kept there. */
function costsOf(row: ForeignSessionRow, messages: readonly MessageRow[]): readonly ForeignCost[] {
  const usage = {
    input: readNumberAt(row, 'input_tokens') ?? 0,
    output: readNumberAt(row, 'output_tokens') ?? 0,
    cacheRead: readNumberAt(row, 'cache_read_tokens') ?? 0,
    cacheWrite: readNumberAt(row, 'cache_write_tokens') ?? 0,
    reasoning: readNumberAt(row, 'reasoning_tokens') ?? 0,
  };
  if (Object.values(usage).every((count) => count === 0)) return [];
  const [actual, estimated] = [readNumberAt(row, 'actual_cost_usd') ?? 0, readNumberAt(row, 'estimated_cost_usd') ?? 0];
  const price = actual > 0 ? actual : estimated;
  return [
    {
      at: Math.round(Number(messages.at(-1)?.['timestamp'] ?? row['started_at']) * 1000),
      provider: readStringAt(row, 'billing_provider') ?? '',
      model: readStringAt(row, 'model') ?? '',
      baseUrl: readStringAt(row, 'billing_base_url') ?? '',
      usage,
      ...(price > 0 && { price }),
    },
  ];
}
