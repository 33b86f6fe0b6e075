import { parseHost } from '../../../../base/http.ts';
import { readPath } from '../../../../base/json.ts';
import type { JsonObject } from '../../../../base/json-types.ts';
import type { MemoryTarget } from '../../../../contracts/memory.ts';
import type { MemoryCall, MemoryProvider, MemoryWrite } from '../../../../contracts/memory-provider.ts';
import { readConnection, type RemoteMemoryOptions, type ServiceConnection } from '../connection.ts';
import { fitFacts } from '../facts.ts';
import { moveFacts, readPages, toExportedFact, toImportMetadata } from '../moving-facts.ts';
import { changeOwnFile, toCount, toText } from '../own-file.ts';
import { toPersonId, type PersonScope } from '../person.ts';
import { toSegment } from '../service-client.ts';
import { demandTool, readCount, readOptionalText, readTextInput } from '../tool-input.ts';
import { createSessionWriters, type SessionWriters } from '../writers.ts';
import { MAX_FOUND, SUPERMEMORY_TOOLS } from './tools.ts';
import {
  readDocuments,
  readFound,
  SUPERMEMORY,
  toDocument,
  toFact,
  toMirrorFilter,
  toMirrorMetadata,
  toTurnDocument,
  type FoundMemory,
  type StoredDocument,
} from './wire.ts';

interface SupermemoryDeps extends ServiceConnection {
  /** The tag of the owner's memories. */
  readonly owner: string;
  readonly limit: number;
  readonly writers: SessionWriters;
}

export function openSupermemory(options: RemoteMemoryOptions): MemoryProvider {
  const connection = readConnection(SUPERMEMORY, options);
  const { values, baseUrl, trouble, ask } = connection;
  const deps: SupermemoryDeps = {
    ...connection,
    owner: toText(values['container_tag']) ?? 'hermes',
    limit: toCount(values['max_recall_results'], 10, MAX_FOUND),
    writers: createSessionWriters(),
  };
  return {
    name: SUPERMEMORY.name,
    servesGuests: true,
    available: () => trouble === undefined,
    unavailableReason: () => trouble,
    initialize: async (scene) => deps.writers.note(scene),
    systemBlock: () =>
      'Supermemory keeps what is known about the person you speak with. Some of it may be shown beside a message. Use supermemory_search for more, and supermemory_store for what should last.',
    recall: async (query, { signal, maxChars, ...scope }) =>
      fitFacts((await search(deps, query, scope, deps.limit, signal)).map(toFact), maxChars),
    syncTurn: async (turn, signal) => {
      if (!deps.writers.mayWrite(turn.sessionId)) return;
      await ask({ method: 'POST', path: '/v3/documents', body: toTurnDocument(turn, toPersonId(turn, deps.owner)), signal });
    },
    wrote: (change, signal) => mirror(deps, change, signal),
    tools: () => SUPERMEMORY_TOOLS,
    call: (name, input, call) => callTool(deps, name, input, call),
    configFields: () => [
      {
        key: 'api_key',
        description: 'API key of Supermemory',
        secret: true,
        required: true,
        env_var: SUPERMEMORY.keyVariable,
        url: SUPERMEMORY.keysAt ?? '',
      },
    ],
    saveConfig: async (given, home) => void changeOwnFile(home, SUPERMEMORY.name, (before) => ({ ...before, ...given })),
    backupPaths: () => [`${SUPERMEMORY.name}.json`],
    ...moveFacts({
      label: SUPERMEMORY.label,
      list: (person) => listFacts(deps, toPersonId(person, deps.owner)),
      add: (fact, person, key) => {
        const body = toDocument(fact.text, toPersonId(person, deps.owner), key, toImportMetadata(fact, key));
        return ask({ method: 'POST', path: '/v3/documents', body, signal: never });
      },
    }),
    status: async (signal) => {
      await ask({ method: 'POST', path: '/v4/profile', body: { containerTag: deps.owner }, signal });
      return `connected to ${parseHost(baseUrl)}; your memories have the tag ${deps.owner}`;
    },
  };
}

async function search(
  { ask, owner }: SupermemoryDeps,
  q: string,
  scope: PersonScope,
  limit: number,
  signal: AbortSignal,
): Promise<FoundMemory[]> {
  const body = { q, containerTag: toPersonId(scope, owner), limit, searchMode: 'hybrid' };
  return readFound(await ask({ method: 'POST', path: '/v4/search', body, signal }));
}

/** Moving facts is stopped with the process; each request has its own limit. */
const never = new AbortController().signal;
/** Documents, as they were given: what the service made of them has no list. */
async function* listFacts({ ask }: SupermemoryDeps, tag: string) {
  const read = async (page: number, limit: number) => {
    const body = { containerTags: [tag], includeContent: true, limit, page };
    return readDocuments(await ask({ method: 'POST', path: '/v3/documents/list', body, signal: never }));
  };
  for await (const { content, at, metadata } of readPages(read))
    if (content.trim() !== '') yield toExportedFact(SUPERMEMORY.name, content, at, metadata);
}

/** The two files belong to the profile, so their copy belongs to its owner. */
async function mirror(deps: SupermemoryDeps, { key, operation, target }: MemoryWrite, signal: AbortSignal): Promise<void> {
  const { ask, owner } = deps;
  const add = (content: string) =>
    ask({ method: 'POST', path: '/v3/documents', body: toDocument(content, owner, key, toMirrorMetadata(target)), signal });
  if (operation.action === 'add') return void (await add(operation.content));
  const [first, ...more] = await findMirrored(deps, target, operation.oldText, signal);
  const gone = operation.action === 'remove' && first !== undefined ? [first, ...more] : more;
  for (const { id } of gone) await ask({ method: 'DELETE', path: `/v3/documents/${toSegment(id)}`, signal });
  if (operation.action === 'remove') return;
  if (first === undefined) return void (await add(operation.content));
  await ask({ method: 'PATCH', path: `/v3/documents/${toSegment(first.id)}`, body: { content: operation.content }, signal });
}

const MAX_PAGES = 10;
const PAGE_SIZE = 100;
async function findMirrored(
  { ask, owner }: SupermemoryDeps,
  target: MemoryTarget,
  oldText: string,
  signal: AbortSignal,
): Promise<StoredDocument[]> {
  const found: StoredDocument[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const body = { containerTags: [owner], filters: toMirrorFilter(target), includeContent: true, limit: PAGE_SIZE, page };
    const part = readDocuments(await ask({ method: 'POST', path: '/v3/documents/list', body, signal }));
    found.push(...part.filter(({ content }) => content.includes(oldText)));
    if (part.length < PAGE_SIZE) break;
  }
  return found;
}

async function callTool(deps: SupermemoryDeps, name: string, input: JsonObject, { signal, ...scope }: MemoryCall): Promise<string> {
  demandTool(SUPERMEMORY_TOOLS, name);
  const { ask, owner, writers } = deps;
  const containerTag = toPersonId(scope, owner);
  if (name === 'supermemory_search') {
    const found = await search(deps, readTextInput(input, 'query'), scope, readCount(input, 'limit', deps.limit, MAX_FOUND), signal);
    return JSON.stringify({ results: found.map(({ id, text, at }) => ({ id, memory: text, ...(at !== undefined && { at }) })) });
  }
  if (name === 'supermemory_profile') {
    const q = readOptionalText(input, 'query');
    const answer = await ask({ method: 'POST', path: '/v4/profile', body: { containerTag, ...(q !== undefined && { q }) }, signal });
    return JSON.stringify({
      profile: readPath(answer, 'profile') ?? {},
      results: readFound(readPath(answer, 'searchResults') ?? null).map(({ text }) => text),
    });
  }
  writers.demand(scope.sessionId);
  if (name === 'supermemory_store') {
    const content = readTextInput(input, 'content');
    const body = toDocument(content, containerTag, `${containerTag} ${content}`, { hermes_session: scope.sessionId });
    await ask({ method: 'POST', path: '/v3/documents', body, signal });
    return JSON.stringify({ stored: true });
  }
  const id = readTextInput(input, 'memory_id');
  // The tag is the person's: a memory of somebody else is not found under it.
  await ask({ method: 'DELETE', path: '/v4/memories', body: { containerTag, id }, signal });
  return JSON.stringify({ forgotten: id });
}
