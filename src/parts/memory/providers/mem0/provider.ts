import type { JsonObject } from '../../../../base/json-types.ts';
import { parseHost } from '../../../../base/http.ts';
import type { MemoryTarget } from '../../../../contracts/memory.ts';
import type { MemoryCall, MemoryProvider, MemoryWrite, SyncedTurn } from '../../../../contracts/memory-provider.ts';
import { readConnection, type RemoteMemoryOptions, type ServiceConnection } from '../connection.ts';
import { fitFacts } from '../facts.ts';
import { moveFacts, readPages, toExportedFact, toImportMetadata } from '../moving-facts.ts';
import { changeOwnFile, toCount, toText } from '../own-file.ts';
import { toPersonId, type PersonScope } from '../person.ts';
import { toSegment } from '../service-client.ts';
import { createSyncedTurns, type SyncedTurns } from '../synced-turns.ts';
import { demandTool, readCount, readTextInput } from '../tool-input.ts';
import { createSessionWriters, type SessionWriters } from '../writers.ts';
import { MAX_FOUND, MEM0_TOOLS } from './tools.ts';
import { MEM0, readMemories, readMemory, toExactBody, toFact, toFilters, toMirrorMetadata, toTurnBody, type Mem0Memory } from './wire.ts';

/** What one memory provider works with. */
interface Mem0Deps extends ServiceConnection {
  readonly owner: string;
  readonly agentId: string;
  readonly topK: number;
  readonly writers: SessionWriters;
  readonly turns: SyncedTurns;
}

export function openMem0(options: RemoteMemoryOptions): MemoryProvider {
  const connection = readConnection(MEM0, options);
  const { values, baseUrl, trouble, ask } = connection;
  const deps: Mem0Deps = {
    ...connection,
    owner: toText(values['user_id']) ?? 'hermes-user',
    agentId: toText(values['agent_id']) ?? 'hermes',
    topK: toCount(values['top_k'], 10, MAX_FOUND),
    writers: createSessionWriters(),
    turns: createSyncedTurns(),
  };
  const rerank = values['rerank'] === true;
  return {
    name: MEM0.name,
    servesGuests: true,
    available: () => trouble === undefined,
    unavailableReason: () => trouble,
    initialize: async (scene) => deps.writers.note(scene),
    systemBlock: () =>
      'Mem0 keeps facts about the person you speak with. Some may be shown beside a message. Use mem0_search for more, and mem0_add for what should last.',
    recall: async (query, { signal, maxChars, ...scope }) =>
      fitFacts((await search(deps, query, scope, { topK: deps.topK, rerank }, signal)).map(toFact), maxChars),
    syncTurn: (turn, signal) => syncTurn(deps, turn, signal),
    sessionEnd: async ({ sessionId }) => deps.turns.forget(sessionId),
    wrote: (change, signal) => mirror(deps, change, signal),
    tools: () => MEM0_TOOLS,
    call: (name, input, call) => callTool(deps, name, input, call),
    configFields: () => [
      { key: 'api_key', description: 'API key of Mem0', secret: true, required: true, env_var: MEM0.keyVariable, url: MEM0.keysAt ?? '' },
    ],
    saveConfig: async (given, home) => void changeOwnFile(home, MEM0.name, (before) => ({ ...before, ...given })),
    backupPaths: () => [`${MEM0.name}.json`],
    ...moveFacts({
      label: MEM0.label,
      list: (person) => listFacts(deps, toPersonId(person, deps.owner)),
      add: (fact, person, key) => {
        const body = toExactBody(fact.text, toPersonId(person, deps.owner), deps.agentId, toImportMetadata(fact, key));
        return ask({ method: 'POST', path: '/v3/memories/add/', body, signal: never });
      },
    }),
    status: async (signal) => {
      await ask({ method: 'GET', path: '/v1/ping/', signal });
      return `connected to ${parseHost(baseUrl)}; your memories are those of the user ${deps.owner}`;
    },
  };
}

async function search(
  { ask, owner }: Mem0Deps,
  query: string,
  scope: PersonScope,
  { topK, rerank = false }: { topK: number; rerank?: boolean },
  signal: AbortSignal,
): Promise<Mem0Memory[]> {
  const person = toPersonId(scope, owner);
  const body = { query, filters: toFilters(person), top_k: topK, ...(rerank && { rerank }) };
  const found = readMemories(await ask({ method: 'POST', path: '/v3/memories/search/', body, signal }));
  // Asked for one person: what came of another would be a mistake of the service, and is not passed on.
  return found.filter(({ userId }) => userId === undefined || userId === person);
}

/** The service has no key of its own for what it is sent: a turn it has made something of already is known by ours. */
async function syncTurn(deps: Mem0Deps, turn: SyncedTurn, signal: AbortSignal): Promise<void> {
  if (!deps.writers.mayWrite(turn.sessionId)) return;
  const person = toPersonId(turn, deps.owner);
  const body = toTurnBody(turn, person, deps.agentId);
  const { messages } = body;
  if (!Array.isArray(messages) || messages.length === 0) return;
  await deps.turns.once(turn.sessionId, turn.key, {
    isKnown: async () => (await list(deps, person, { hermes_key: turn.key }, signal)).length > 0,
    add: () => deps.ask({ method: 'POST', path: '/v3/memories/add/', body, signal }),
  });
}

/** Moving facts is stopped with the process; each request has its own limit. */
const never = new AbortController().signal;
async function* listFacts(deps: Mem0Deps, person: string) {
  for await (const { text, at, metadata } of readPages((page, size) => listPage(deps, person, {}, { page, page_size: size }, never)))
    yield toExportedFact(MEM0.name, text, at, metadata);
}

const MAX_PAGES = 20;
const PAGE_SIZE = 100;
async function list(deps: Mem0Deps, person: string, metadata: JsonObject, signal: AbortSignal): Promise<Mem0Memory[]> {
  const found: Mem0Memory[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const part = await listPage(deps, person, metadata, { page, page_size: PAGE_SIZE }, signal);
    found.push(...part);
    if (part.length < PAGE_SIZE) break;
  }
  return found;
}

async function listPage(
  { ask }: Mem0Deps,
  person: string,
  metadata: JsonObject,
  query: { readonly page: number; readonly page_size: number },
  signal: AbortSignal,
): Promise<Mem0Memory[]> {
  return readMemories(await ask({ method: 'POST', path: '/v3/memories/', query, body: { filters: toFilters(person, metadata) }, signal }));
}

/** The two files belong to the profile, so their copy belongs to its owner. */
async function mirror(deps: Mem0Deps, { key, operation, target }: MemoryWrite, signal: AbortSignal): Promise<void> {
  const { ask, owner, agentId } = deps;
  const add = async (content: string) => {
    if ((await list(deps, owner, { hermes_key: key }, signal)).length > 0) return;
    await ask({
      method: 'POST',
      path: '/v3/memories/add/',
      body: toExactBody(content, owner, agentId, toMirrorMetadata(target, key)),
      signal,
    });
  };
  if (operation.action === 'add') return add(operation.content);
  const [first, ...more] = await findMirrored(deps, target, operation.oldText, signal);
  for (const each of operation.action === 'remove' && first !== undefined ? [first, ...more] : more) await remove(deps, each.id, signal);
  if (operation.action === 'remove') return;
  if (first === undefined) return add(operation.content);
  await ask({ method: 'PUT', path: `/v1/memories/${toSegment(first.id)}/`, body: { text: operation.content }, signal });
}

const findMirrored = async (deps: Mem0Deps, target: MemoryTarget, oldText: string, signal: AbortSignal): Promise<Mem0Memory[]> =>
  (await list(deps, deps.owner, { hermes_store: target }, signal)).filter(({ text }) => text.includes(oldText));

const remove = ({ ask }: Mem0Deps, id: string, signal: AbortSignal) =>
  ask({ method: 'DELETE', path: `/v1/memories/${toSegment(id)}/`, signal });

async function callTool(deps: Mem0Deps, name: string, input: JsonObject, { signal, ...scope }: MemoryCall): Promise<string> {
  demandTool(MEM0_TOOLS, name);
  const { ask, owner, agentId, writers } = deps;
  if (name === 'mem0_search') {
    const found = await search(
      deps,
      readTextInput(input, 'query'),
      scope,
      { topK: readCount(input, 'top_k', deps.topK, MAX_FOUND) },
      signal,
    );
    return JSON.stringify({ results: found.map(({ id, text, at }) => ({ id, memory: text, ...(at !== undefined && { at }) })) });
  }
  writers.demand(scope.sessionId);
  const person = toPersonId(scope, owner);
  if (name === 'mem0_add') {
    const body = toExactBody(readTextInput(input, 'content'), person, agentId, { hermes_session: scope.sessionId });
    await ask({ method: 'POST', path: '/v3/memories/add/', body, signal });
    return JSON.stringify({ stored: true });
  }
  const { id } = await demandOwn(deps, readTextInput(input, 'memory_id'), person, signal);
  if (name === 'mem0_update') {
    await ask({ method: 'PUT', path: `/v1/memories/${toSegment(id)}/`, body: { text: readTextInput(input, 'content') }, signal });
    return JSON.stringify({ updated: id });
  }
  await remove(deps, id, signal);
  return JSON.stringify({ deleted: id });
}

/** An id is no right: a memory of somebody else stays as it is. */
async function demandOwn({ ask }: Mem0Deps, id: string, person: string, signal: AbortSignal): Promise<Mem0Memory> {
  const found = readMemory(await ask({ method: 'GET', path: `/v1/memories/${toSegment(id)}/`, signal }));
  if (found === undefined || found.userId !== person) throw new Error(`There is no memory ${id} of this person. mem0_search gives ids.`);
  return found;
}
