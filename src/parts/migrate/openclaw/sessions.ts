import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { parseJson, readPath, readStringAt } from '../../../base/json.ts';
import type { Json } from '../../../base/json-types.ts';
import { listFiles, type HomeReader } from '../foreign/files.ts';
import type { ForeignSession } from '../foreign/foreign-home.ts';
import type { ForeignDatabase } from '../foreign/open-database.ts';
import { readTranscript, type TranscriptEvent } from './events.ts';

export const AGENT_STORE = join('agent', 'openclaw-agent.sqlite');

/** The sessions of one agent: those in its database, and those an earlier version left as files that are not in it. */
export function readAgentSessions(agent: string, database: ForeignDatabase | undefined, reader: HomeReader): readonly ForeignSession[] {
  const readAll = (from: ForeignDatabase) => (from.columns('transcript_events').size === 0 ? [] : readStored(from));
  const stored = (database && reader.attempt('sessions', join('agents', agent, AGENT_STORE), () => readAll(database))) ?? [];
  const known = new Set(stored.map(({ key }) => key));
  return [...stored, ...readFiles(join('agents', agent, 'sessions'), reader).filter(({ key }) => !known.has(key))].toSorted(
    (a, b) => a.startedAt - b.startedAt,
  );
}

function readStored(database: ForeignDatabase): ForeignSession[] {
  const rows = database.all(`SELECT events.session_id, count(*) AS events, max(events.seq) AS last, min(events.created_at) AS began,
      windows.channel, windows.model, windows.model_provider, windows.session_key, windows.previous_session_id,
      coalesce(nodes.label, nodes.display_name, windows.display_name) AS title
    FROM transcript_events AS events LEFT JOIN session_windows AS windows ON windows.session_id = events.session_id
      LEFT JOIN session_nodes AS nodes ON nodes.session_key = windows.session_key AND nodes.current_session_id = windows.session_id
    GROUP BY events.session_id`);
  return rows.flatMap((row) => {
    const key = String(row['session_id']);
    const before = readStringAt(row, 'previous_session_id');
    const session = toSession(key, `${String(row['events'])}:${String(row['last'])}`, () => readEvents(database, key), {
      startedAt: Number(row['began']),
      source: readStringAt(row, 'channel') ?? sourceOf(readStringAt(row, 'session_key') ?? ''),
      ...named({ title: row['title'], model: row['model'], provider: row['model_provider'] }),
      ...(before !== undefined && { parent: { key: before, kind: 'reset' as const } }),
    });
    return session === undefined ? [] : [session];
  });
}

/** Jobs and webhooks have session keys of their own. */
const sourceOf = (key: string): string =>
  key.startsWith('cron:') || key.includes(':cron:') ? 'cron' : key.startsWith('hook:') ? 'webhook' : 'cli';

const named = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fields).filter((pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1] !== ''));

/** Long events are kept packed. */
function readEvents(database: ForeignDatabase, key: string): TranscriptEvent[] {
  const packed = database.columns('transcript_events').has('event_zstd') ? ', event_zstd' : '';
  return database.all(`SELECT event_json${packed} FROM transcript_events WHERE session_id = ? ORDER BY seq`, key).flatMap((row) => {
    const blob = row['event_zstd'];
    const text = blob instanceof Uint8Array ? zstdDecompressSync(blob).toString('utf8') : readStringAt(row, 'event_json');
    return parseJson(text ?? '') ?? [];
  });
}

/** Pictures are kept in it. */
const MAX_TRANSCRIPT_BYTES = 256 * 1024 * 1024;

/** As versions before 2026.6 kept them: a file of lines for each session. */
function readFiles(place: string, { folder, read }: HomeReader): ForeignSession[] {
  return listFiles(join(folder, place), '.jsonl').flatMap((file) => {
    const readText = () => read('sessions', join(place, file), MAX_TRANSCRIPT_BYTES)?.text ?? '';
    const events = () =>
      readText()
        .split('\n')
        .flatMap((line): Json[] => [parseJson(line) ?? []].flat());
    const { size, mtimeMs } = statSync(join(folder, place, file));
    const session = toSession(file.slice(0, -'.jsonl'.length), `${size}`, events, { startedAt: Math.round(mtimeMs), source: 'cli' });
    return session === undefined ? [] : [session];
  });
}

type SessionFacts = Pick<ForeignSession, 'startedAt' | 'source' | 'title' | 'model' | 'provider' | 'parent'>;

/** One in which nothing was said is none. */
function toSession(key: string, fingerprint: string, events: () => TranscriptEvent[], facts: SessionFacts): ForeignSession | undefined {
  const all = events();
  const messages = all.filter((event) => ['message', 'custom_message'].includes(readStringAt(event, 'type') ?? '')).length;
  if (messages === 0) return undefined;
  const head = all.find((event) => readStringAt(event, 'type') === 'session');
  const began = Date.parse(readStringAt(head, 'timestamp') ?? '');
  const cwd = readStringAt(head, 'cwd');
  const first = all.find((event) => readStringAt(event, 'message', 'model') !== undefined);
  return {
    ...facts,
    key,
    fingerprint,
    messages,
    startedAt: Number.isNaN(began) ? facts.startedAt : began,
    ...(cwd !== undefined && { cwd }),
    ...(first !== undefined && named({ model: readPath(first, 'message', 'model'), provider: readPath(first, 'message', 'provider') })),
    read: () => readTranscript(events()),
  };
}

export const hasAgentStore = (folder: string): boolean => existsSync(join(folder, AGENT_STORE));
