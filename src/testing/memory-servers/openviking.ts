import { randomUUID } from 'node:crypto';
import { readPath, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { openMemoryServer, rank, type MemoryServer, type MemoryServerAnswer, type MemoryServerRequest } from './memory-server.ts';

interface VikingMessage {
  readonly id: string;
  readonly role: string;
  readonly text: string;
  readonly turn_id: string | null;
  readonly created_at: string;
}
export interface OpenVikingServer extends MemoryServer {
  /** Texts by their addresses. */
  readonly files: ReadonlyMap<string, string>;
  /** Messages that wait for a commit, by `USER/SESSION`. */
  readonly sessions: ReadonlyMap<string, readonly VikingMessage[]>;
  /** The server has keys of single users: whatever a request says, it is this one. */
  keyOf?: string;
}

const ok = (result: Json): MemoryServerAnswer => ({ body: { status: 'ok', result, error: null, telemetry: null, profile: null } });
const fail = (status: number, code: string, message: string): MemoryServerAnswer => ({
  status,
  body: { status: 'error', result: null, error: { code, message, details: {} }, telemetry: null, profile: null },
});

/** OpenViking with a root key: a commit makes a memory of every message of a user, since there is no model that could make more of it. */
export async function openVikingServer(key: string): Promise<OpenVikingServer> {
  const files = new Map<string, string>();
  const sessions = new Map<string, VikingMessage[]>();
  /** Messages of earlier commits. */
  const archives = new Map<string, VikingMessage[]>();
  const state: { keyOf?: string } = {};
  const userOf = ({ headers }: MemoryServerRequest): string => {
    const named = headers['x-openviking-user'];
    return state.keyOf ?? (typeof named === 'string' ? named : 'default');
  };
  const resolve = (request: MemoryServerRequest, uri: string): string =>
    uri.replace(/^viking:\/\/~(?=\/|$)/, `viking://user/${userOf(request)}`);
  const noSession = (id: string) => fail(404, 'NOT_FOUND', `Session not found: ${id}`);
  const server = await openMemoryServer({
    refuse: ({ headers, path }) =>
      path === '/health' || headers['x-api-key'] === key ? undefined : fail(401, 'UNAUTHENTICATED', 'Invalid API key'),
    routes: {
      'GET /health': () => ({ body: { status: 'ok', healthy: true, version: '0.5.2', auth_mode: 'api_key' } }),
      'GET /api/v1/system/status': (request) => ok({ initialized: true, user: userOf(request) }),
      'POST /api/v1/sessions/:id/messages/batch': (request, id = '') => {
        const given = readPath(request.body, 'messages');
        if (!Array.isArray(given)) return fail(400, 'INVALID_ARGUMENT', 'messages are required');
        const name = `${userOf(request)}/${id}`;
        const messages = [...(sessions.get(name) ?? []), ...given.map(toMessage)];
        sessions.set(name, messages);
        return ok({ session_id: id, message_count: messages.length, added: given.length, pending_tokens: messages.length });
      },
      'POST /api/v1/search/grep': (request) => {
        const uri = resolve(request, readStringAt(request.body, 'uri') ?? '');
        const name = uri.replace(/^viking:\/\/user\//, '').replace('/sessions/', '/');
        const messages = [...(archives.get(name) ?? []), ...(sessions.get(name) ?? [])];
        if (!sessions.has(name)) return fail(404, 'NOT_FOUND', `File not found: ${uri}`);
        const lines = messages.map((message) => JSON.stringify(message));
        const matches = lines.flatMap((content, line) =>
          content.includes(readStringAt(request.body, 'pattern') ?? '') ? [{ line: line + 1, uri, content }] : [],
        );
        return ok({ matches, count: matches.length, match_count: matches.length, files_scanned: 1 });
      },
      'POST /api/v1/sessions/:id/commit': (request, id = '') => {
        const user = userOf(request);
        const messages = sessions.get(`${user}/${id}`);
        if (messages === undefined) return noSession(id);
        if (messages.length === 0)
          return ok({ session_id: id, status: 'skipped', task_id: null, archive_uri: null, archived: false, reason: 'no_messages' });
        sessions.set(`${user}/${id}`, []);
        archives.set(`${user}/${id}`, [...(archives.get(`${user}/${id}`) ?? []), ...messages]);
        for (const { role, id: message, text } of messages)
          if (role === 'user') files.set(`viking://user/${user}/memories/events/${message}.md`, text);
        return ok({
          session_id: id,
          status: 'accepted',
          task_id: randomUUID(),
          archive_uri: `viking://user/${user}/sessions/${id}/history/archive_001`,
          archived: true,
        });
      },
      'POST /api/v1/search/find': (request) => ok(find(request.body ?? null, files, (uri) => resolve(request, uri))),
      'POST /api/v1/content/write': (request) => {
        const uri = resolve(request, readStringAt(request.body, 'uri') ?? '');
        const content = readStringAt(request.body, 'content');
        if (uri === '' || content === undefined) return fail(400, 'INVALID_ARGUMENT', 'uri and content are required');
        files.set(uri, content);
        return ok({ uri, context_type: 'memory', mode: readPath(request.body, 'mode') ?? 'replace', content_updated: true });
      },
      'GET /api/v1/content/read': (request) => {
        const uri = resolve(request, request.query.get('uri') ?? '');
        const text = files.get(uri);
        return text === undefined ? fail(404, 'NOT_FOUND', `File not found: ${uri}`) : ok(text);
      },
      'GET /api/v1/fs/ls': (request) => list(resolve(request, request.query.get('uri') ?? ''), files, request.query),
      'DELETE /api/v1/fs': (request) => {
        const uri = resolve(request, request.query.get('uri') ?? '');
        return ok({ uri, estimated_deleted_count: files.delete(uri) ? 1 : 0, task_id: randomUUID() });
      },
      'POST /api/v1/resources': (request) => {
        const to = resolve(request, readStringAt(request.body, 'to') ?? 'viking://resources/page');
        files.set(`${to}/page.md`, `The page ${readStringAt(request.body, 'path') ?? ''}`);
        return ok({ root_uri: to, status: 'success' });
      },
    },
  });
  return Object.assign(state, { ...server, files, sessions });
}

const toMessage = (given: Json): VikingMessage => ({
  id: `msg_${randomUUID().replaceAll('-', '')}`,
  role: readStringAt(given, 'role') ?? 'user',
  text: readStringAt(given, 'content') ?? '',
  turn_id: readStringAt(given, 'turn_id') ?? null,
  created_at: readStringAt(given, 'created_at') ?? new Date().toISOString(),
});

/** As the real one: who names no address searches what everybody has. */
function find(body: Json, files: ReadonlyMap<string, string>, resolve: (uri: string) => string): JsonObject {
  const target = readPath(body, 'target_uri');
  const roots = (Array.isArray(target) ? target : [target]).flatMap((each) =>
    typeof each === 'string' && each !== '' ? [resolve(each)] : [],
  );
  const below = [...files].filter(([uri]) => roots.length === 0 || roots.some((root) => uri.startsWith(`${root}/`)));
  const most = readPath(body, 'limit');
  const hits = rank(below, readStringAt(body, 'query') ?? '', ([, text]) => text)
    .slice(0, typeof most === 'number' ? most : 10)
    .map(({ item: [uri, text], score }) => ({
      context_type: uri.includes('/memories/') ? 'memory' : 'resource',
      uri,
      level: 2,
      score,
      abstract: text,
      tags: [],
      ...(readPath(body, 'read_content') === true && { content: text }),
    }));
  const of = (kind: string) => hits.filter(({ context_type: type }) => type === kind);
  return { memories: of('memory'), resources: of('resource'), skills: [], total: hits.length };
}

/** Folders before what is in them; as many as are asked for, from where they are asked for. */
function list(folder: string, files: ReadonlyMap<string, string>, query: URLSearchParams): MemoryServerAnswer {
  const below = [...files.keys()].filter((uri) => uri.startsWith(`${folder}/`)).map((uri) => uri.slice(folder.length + 1).split('/'));
  if (below.length === 0) return fail(404, 'NOT_FOUND', `Directory not found: ${folder}`);
  const isRecursive = query.get('recursive') === 'true';
  const names = [
    ...new Set(
      below.flatMap((parts) => parts.slice(0, isRecursive ? undefined : 1).map((_, index) => parts.slice(0, index + 1).join('/'))),
    ),
  ];
  const entries = names.map((name) => {
    const text = files.get(`${folder}/${name}`);
    return { uri: `${folder}/${name}`, name, rel_path: name, size: text?.length ?? 0, isDir: text === undefined, abstract: text ?? '' };
  });
  const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 1_000)];
  const shown = entries.slice(offset, offset + limit);
  const hasMore = offset + limit < entries.length;
  return { body: { status: 'ok', result: shown, error: null, telemetry: null, profile: null, has_more: hasMore } };
}
