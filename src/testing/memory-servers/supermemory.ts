import { randomUUID } from 'node:crypto';
import { isObject, readPath, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { openMemoryServer, rank, type MemoryServer, type MemoryServerAnswer } from './memory-server.ts';

interface SupermemoryDocument {
  readonly id: string;
  content: string;
  readonly customId: string | null;
  readonly containerTag: string;
  metadata: JsonObject | null;
  readonly createdAt: string;
  updatedAt: string;
  /** Its memory was forgotten; the document stays. */
  forgotten?: true;
}
export interface SupermemoryServer extends MemoryServer {
  readonly documents: readonly SupermemoryDocument[];
}

const ID = /^[A-Za-z0-9_.-]{1,100}$/;
const missing: MemoryServerAnswer = { status: 404, body: { error: 'Document not found' } };

/** Supermemory: one memory for each document, word for word, since there is no model that could make more of it. */
export async function openSupermemoryServer(key: string): Promise<SupermemoryServer> {
  const documents: SupermemoryDocument[] = [];
  const find = (id: string) => documents.find((each) => each.id === id || each.customId === id);
  const memoriesOf = (tag: string | undefined) =>
    documents.filter((each) => each.forgotten !== true && (tag === undefined || each.containerTag === tag));
  const server = await openMemoryServer({
    refuse: ({ headers }) => (headers['authorization'] === `Bearer ${key}` ? undefined : { status: 401, body: { error: 'Unauthorized' } }),
    unknown: missing,
    routes: {
      'POST /v3/documents': ({ body }) => add(body ?? null, documents),
      'POST /v3/documents/list': ({ body }) => listDocuments(body ?? null, documents),
      'PATCH /v3/documents/:id': ({ body }, id = '') => {
        const found = find(id);
        if (found === undefined) return missing;
        found.content = readStringAt(body, 'content') ?? found.content;
        found.updatedAt = new Date().toISOString();
        return { body: { id: found.id, status: 'queued' } };
      },
      'DELETE /v3/documents/:id': (_request, id = '') => {
        const found = find(id);
        if (found === undefined) return missing;
        documents.splice(documents.indexOf(found), 1);
        return { status: 204 };
      },
      'POST /v4/search': ({ body }) => {
        const results = search(readStringAt(body, 'q') ?? '', memoriesOf(readStringAt(body, 'containerTag')), readPath(body, 'limit'));
        return { body: { results, timing: 1, total: results.length } };
      },
      'POST /v4/profile': ({ body }) => {
        const tag = readStringAt(body, 'containerTag');
        if (tag === undefined) return { status: 400, body: { error: 'containerTag is required' } };
        const q = readStringAt(body, 'q');
        const results = q === undefined ? [] : search(q, memoriesOf(tag), undefined);
        const profile = { static: [], dynamic: memoriesOf(tag).map(({ content }) => content) };
        return { body: { profile, ...(q !== undefined && { searchResults: { results, timing: 1, total: results.length } }) } };
      },
      'DELETE /v4/memories': ({ body }) => {
        const found = memoriesOf(readStringAt(body, 'containerTag')).find(
          ({ id, content }) => id === readPath(body, 'id') || content === readPath(body, 'content'),
        );
        if (found === undefined) return { status: 404, body: { error: 'Memory not found' } };
        found.forgotten = true;
        return { body: { id: found.id, forgotten: true } };
      },
    },
  });
  return { ...server, documents };
}

function add(body: Json, documents: SupermemoryDocument[]): MemoryServerAnswer {
  const content = readStringAt(body, 'content');
  const containerTag = readStringAt(body, 'containerTag') ?? 'sm_project_default';
  const customId = readStringAt(body, 'customId') ?? null;
  if (content === undefined || content === '') return { status: 400, body: { error: 'content is required' } };
  if (!ID.test(containerTag) || (customId !== null && !ID.test(customId))) return { status: 400, body: { error: 'Invalid id' } };
  const given = readPath(body, 'metadata');
  const metadata = isObject(given) ? given : null;
  const now = new Date().toISOString();
  const before = customId === null ? undefined : documents.find((each) => each.customId === customId);
  if (before !== undefined) {
    Object.assign(before, { content, metadata, updatedAt: now });
    return { body: { id: before.id, status: 'queued' } };
  }
  const id = randomUUID().replaceAll('-', '').slice(0, 22);
  documents.push({ id, content, customId, containerTag, metadata, createdAt: now, updatedAt: now });
  return { body: { id, status: 'queued' } };
}

const search = (q: string, memories: readonly SupermemoryDocument[], limit: Json | undefined) =>
  rank(memories, q, ({ content }) => content)
    .slice(0, typeof limit === 'number' ? limit : 10)
    .map(({ item, score }) => ({
      id: item.id,
      memory: item.content,
      similarity: score,
      metadata: item.metadata,
      updatedAt: item.updatedAt,
      version: 1,
    }));

function listDocuments(body: Json, documents: readonly SupermemoryDocument[]): MemoryServerAnswer {
  const tags = readPath(body, 'containerTags');
  const wanted = readPath(body, 'filters', 'AND');
  const fits = ({ containerTag, metadata }: SupermemoryDocument) =>
    (!Array.isArray(tags) || tags.includes(containerTag)) &&
    (!Array.isArray(wanted) || wanted.every((each) => metadata?.[readStringAt(each, 'key') ?? ''] === readPath(each, 'value')));
  const found = documents.filter(fits);
  const [page, limit] = [Number(readPath(body, 'page') ?? 1), Number(readPath(body, 'limit') ?? 10)];
  const facts = { connectionId: null, filepath: null, status: 'done', summary: null, title: null, type: 'text' };
  const memories = found.slice((page - 1) * limit, page * limit).map(({ content, forgotten: _forgotten, containerTag, ...each }) => ({
    ...facts,
    ...each,
    containerTags: [containerTag],
    ...(readPath(body, 'includeContent') === true && { content }),
  }));
  return {
    body: { memories, pagination: { currentPage: page, limit, totalItems: found.length, totalPages: Math.ceil(found.length / limit) } },
  };
}
