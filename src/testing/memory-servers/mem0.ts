import { randomUUID } from 'node:crypto';
import { isObject, readPath, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { openMemoryServer, rank, type MemoryServer, type MemoryServerAnswer } from './memory-server.ts';

interface StoredMemory {
  readonly id: string;
  memory: string;
  readonly user_id: string | null;
  readonly agent_id: string | null;
  readonly run_id: string | null;
  readonly metadata: JsonObject | null;
  readonly created_at: string;
  updated_at: string;
}
export interface Mem0Server extends MemoryServer {
  readonly memories: readonly StoredMemory[];
}

/** The Mem0 platform: every message of a user becomes a memory, since there is no model that could make more of it. */
export async function openMem0Server(key: string): Promise<Mem0Server> {
  const memories: StoredMemory[] = [];
  const find = (id: string) => memories.find((each) => each.id === id);
  const missing: MemoryServerAnswer = { status: 404, body: { error: 'Memory not found!' } };
  const server = await openMemoryServer({
    refuse: ({ headers }) =>
      headers['authorization'] === `Token ${key}`
        ? undefined
        : { status: 401, body: { detail: 'Given token not valid for any token type' } },
    routes: {
      'GET /v1/ping/': () => ({ body: { status: 'ok', org_id: 'org', project_id: 'project', user_email: 'owner@example.org' } }),
      'POST /v3/memories/add/': ({ body }) => add(body ?? null, memories),
      'POST /v3/memories/search/': ({ body }) => {
        const query = readStringAt(body, 'query') ?? '';
        if (query === '' || readPath(body, 'filters') === undefined)
          return { status: 400, body: { error: 'query and filters are required' } };
        const found = rank(memories.filter(matches(readPath(body, 'filters'))), query, ({ memory }) => memory);
        const most = readPath(body, 'top_k');
        return { body: { results: found.slice(0, typeof most === 'number' ? most : 10).map(({ item, score }) => ({ ...item, score })) } };
      },
      'POST /v3/memories/': ({ body, query }) => {
        const found = memories.filter(matches(readPath(body, 'filters')));
        const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('page_size') ?? 100)];
        const results = found.slice((page - 1) * size, page * size).map((each) => ({ ...each }));
        return { body: { count: found.length, next: null, previous: null, results } };
      },
      'GET /v1/memories/:id/': (_request, id = '') => {
        const found = find(id);
        return found === undefined ? missing : { body: { ...found } };
      },
      'PUT /v1/memories/:id/': ({ body }, id = '') => {
        const found = find(id);
        if (found === undefined) return missing;
        found.memory = readStringAt(body, 'text') ?? found.memory;
        found.updated_at = new Date().toISOString();
        return { body: { ...found } };
      },
      'DELETE /v1/memories/:id/': (_request, id = '') => {
        const at = memories.findIndex((each) => each.id === id);
        if (at < 0) return missing;
        memories.splice(at, 1);
        return { body: { message: 'Memory deleted successfully!' } };
      },
    },
  });
  return { ...server, memories };
}

function add(body: Json, memories: StoredMemory[]): MemoryServerAnswer {
  const messages = readPath(body, 'messages');
  const owner = {
    user_id: readStringAt(body, 'user_id') ?? null,
    agent_id: readStringAt(body, 'agent_id') ?? null,
    run_id: readStringAt(body, 'run_id') ?? null,
  };
  if (!Array.isArray(messages) || messages.length === 0) return { status: 400, body: { messages: ['This field is required.'] } };
  if (Object.values(owner).every((id) => id === null))
    return { status: 400, body: { error: 'At least one of user_id, agent_id, app_id, run_id is required!' } };
  const metadata = readPath(body, 'metadata');
  const now = new Date().toISOString();
  for (const message of messages) {
    if (readStringAt(message, 'role') !== 'user') continue;
    const facts = { ...owner, metadata: isObject(metadata) ? metadata : null, created_at: now, updated_at: now };
    memories.push({ id: randomUUID(), memory: readStringAt(message, 'content') ?? '', ...facts });
  }
  return { body: { message: 'Memory processing has been queued for background execution', status: 'PENDING', event_id: randomUUID() } };
}

/** `AND`, `OR`, equal fields and fields of the metadata. */
function matches(filters: Json | undefined): (memory: StoredMemory) => boolean {
  if (!isObject(filters)) return () => true;
  return (memory) =>
    Object.entries(filters).every(([name, wanted]) => {
      if (name === 'AND') return Array.isArray(wanted) && wanted.every((each) => matches(each)(memory));
      if (name === 'OR') return Array.isArray(wanted) && wanted.some((each) => matches(each)(memory));
      if (name === 'metadata') return isObject(wanted) && Object.entries(wanted).every(([key, value]) => memory.metadata?.[key] === value);
      return Reflect.get(memory, name) === wanted;
    });
}
