import { parseHost } from '../../../../base/http.ts';
import { readPath, readStringAt } from '../../../../base/json.ts';
import type { Json, JsonObject } from '../../../../base/json-types.ts';
import type { MemoryCall, MemoryProvider, MemorySessionEnd, MemoryWrite, SyncedTurn } from '../../../../contracts/memory-provider.ts';
import type { NetworkAccess } from '../../../../contracts/reach.ts';
import { readConnection, type RemoteMemoryOptions, type ServiceConnection } from '../connection.ts';
import { fitFacts, readList, toForeignFact } from '../facts.ts';
import { moveFacts, readPages, toExportedFact } from '../moving-facts.ts';
import { changeOwnFile, toCount, toText } from '../own-file.ts';
import type { PersonScope } from '../person.ts';
import { MemoryServiceError, toSegment } from '../service-client.ts';
import { createSyncedTurns, type SyncedTurns } from '../synced-turns.ts';
import { createSessionWriters, type SessionWriters } from '../writers.ts';
import { createVikingUsers, type VikingUser } from './identity.ts';
import { callViking } from './call.ts';
import { MAX_FOUND, VIKING_TOOLS } from './tools.ts';
import {
  hasMatch,
  isOurs,
  OPENVIKING,
  readHits,
  toImportedUri,
  toMemoryRoot,
  toMessages,
  toMirrorFolder,
  toMirrorUri,
  toSessionId,
  toTurnGrep,
} from './wire.ts';

interface VikingDeps extends Pick<ServiceConnection, 'values' | 'baseUrl' | 'ask'> {
  readonly as: (scope: PersonScope, signal: AbortSignal) => Promise<VikingUser>;
  readonly limit: number;
  readonly network: NetworkAccess;
  readonly writers: SessionWriters;
  readonly turns: SyncedTurns;
}
/** The two files belong to the profile. */
const PROFILE: PersonScope = { platform: 'cli', sessionId: '', isOwner: true };

export function openOpenViking(options: RemoteMemoryOptions): MemoryProvider {
  const { trouble, ...connection } = readConnection(OPENVIKING, options);
  const { values, ask } = connection;
  const [account, user] = [toText(values['account']), toText(values['user'])];
  const deps: VikingDeps = {
    ...connection,
    as: createVikingUsers({ ask, ...(account !== undefined && { account }), ...(user !== undefined && { user }) }),
    limit: toCount(values['limit'], 10, MAX_FOUND),
    network: options.network,
    writers: createSessionWriters(),
    turns: createSyncedTurns(),
  };
  return {
    name: OPENVIKING.name,
    servesGuests: true,
    available: () => trouble === undefined,
    unavailableReason: () => trouble,
    initialize: async (scene) => deps.writers.note(scene),
    systemBlock: () =>
      'OpenViking keeps memories of the person you speak with, and documents. Some memories may be shown beside a message. Use viking_search and viking_read for more, and viking_remember for what should last.',
    recall: (query, { signal, maxChars, ...scope }) => recall(deps, query, scope, maxChars, signal),
    syncTurn: (turn, signal) => syncTurn(deps, turn, signal),
    sessionEnd: (end, signal) => commit(deps, end, signal),
    wrote: (change, signal) => mirror(deps, change, signal),
    tools: () => VIKING_TOOLS,
    call: async (name, input: JsonObject, { signal, ...scope }: MemoryCall) =>
      callViking(
        { ...(await deps.as(scope, signal)), scope, limit: deps.limit, network: deps.network, writers: deps.writers },
        name,
        input,
        signal,
      ),
    configFields: () => [
      {
        key: 'endpoint',
        description: 'address of your OpenViking server',
        required: true,
        default: 'http://127.0.0.1:1933',
        env_var: OPENVIKING.urlVariable,
      },
      { key: 'api_key', description: 'its API key, if it wants one', secret: true, env_var: OPENVIKING.keyVariable },
    ],
    saveConfig: async (given, home) => void changeOwnFile(home, OPENVIKING.name, (before) => ({ ...before, ...given })),
    backupPaths: () => [`${OPENVIKING.name}.json`],
    ...moveFacts({
      label: OPENVIKING.label,
      list: (person) => listFacts(deps, person),
      add: async ({ text: content, foreign }, person, key) => {
        const { user: name, ask: askAs } = await deps.as(person, never);
        const body = { uri: toImportedUri(name, key, foreign !== undefined), content, mode: 'create' };
        return askAs({ method: 'POST', path: '/api/v1/content/write', body, signal: never });
      },
    }),
    status: async (signal) => {
      const version = readStringAt(await ask({ method: 'GET', path: '/health', signal }), 'version') ?? 'unknown';
      const { user: name } = await deps.as(PROFILE, signal);
      return `connected to ${parseHost(deps.baseUrl)} (OpenViking ${version}); your memories are those of the user ${name}`;
    },
  };
}

/** The server gives every user a picture of the agent, written by itself: no fact about a person. */
const OF_THE_AGENT: ReadonlySet<string> = new Set(['soul.md', 'identity.md']);

async function recall({ as, limit, values }: VikingDeps, query: string, scope: PersonScope, maxChars: number, signal: AbortSignal) {
  const { user, ask } = await as(scope, signal);
  const threshold = values['score_threshold'];
  // Named, and looked at again in the answer: a server without keys searches everybody's memories when it is not told where.
  const root = toMemoryRoot(user);
  const body = {
    query,
    target_uri: root,
    level: 2,
    limit,
    read_content: true,
    ...(typeof threshold === 'number' && { score_threshold: threshold }),
  };
  const found = await orMissing(ask({ method: 'POST', path: '/api/v1/search/find', body, signal }));
  return fitFacts(
    readHits(found, [root])
      .filter(({ uri }) => !OF_THE_AGENT.has(uri.slice(root.length + 1)))
      .map(({ text }) => toForeignFact(OPENVIKING.name, text, undefined)),
    maxChars,
  );
}

/** Moving facts is stopped with the process; each request has its own limit. */
const never = new AbortController().signal;
/** Every file below the person's memories; the server's own overviews are hidden files and not listed. */
async function* listFacts({ as }: VikingDeps, person: PersonScope) {
  const { user, ask } = await as(person, never);
  const root = toMemoryRoot(user);
  const read = async (page: number, limit: number) => {
    const query = { uri: root, output: 'original', recursive: true, limit, offset: (page - 1) * limit };
    return readList(await orMissing(ask({ method: 'GET', path: '/api/v1/fs/ls', query, signal: never })), 'result');
  };
  for await (const each of readPages(read)) {
    const uri = readStringAt(each, 'uri') ?? '';
    if (readPath(each, 'isDir') === true || !uri.startsWith(`${root}/`) || !uri.endsWith('.md')) continue;
    if (OF_THE_AGENT.has(uri.slice(root.length + 1))) continue;
    const text = readStringAt(
      await orMissing(ask({ method: 'GET', path: '/api/v1/content/read', query: { uri }, signal: never })),
      'result',
    );
    if (text === undefined || text.trim() === '') continue;
    yield toExportedFact(OPENVIKING.name, text, readStringAt(each, 'modTime'), isOurs(user, uri) ? { hermes_store: uri } : {});
  }
}

async function syncTurn({ as, writers, turns }: VikingDeps, turn: SyncedTurn, signal: AbortSignal): Promise<void> {
  if (!writers.mayWrite(turn.sessionId)) return;
  const body = toMessages(turn);
  if (readList(body, 'messages').length === 0) return;
  const { user, ask } = await as(turn, signal);
  const path = `/api/v1/sessions/${toSegment(toSessionId(turn.sessionId))}`;
  await turns.once(turn.sessionId, turn.key, {
    isKnown: async () =>
      hasMatch(await orMissing(ask({ method: 'POST', path: '/api/v1/search/grep', body: toTurnGrep(turn, user), signal }))),
    add: () => ask({ method: 'POST', path: `${path}/messages/batch`, body, signal }),
  });
}

/** The server makes memories of a session when it is committed; one with nothing new is left as it is. */
async function commit({ as, turns, writers }: VikingDeps, end: MemorySessionEnd, signal: AbortSignal): Promise<void> {
  turns.forget(end.sessionId);
  if (!writers.mayWrite(end.sessionId)) return;
  const { ask } = await as(end, signal);
  await orMissing(ask({ method: 'POST', path: `/api/v1/sessions/${toSegment(toSessionId(end.sessionId))}/commit`, body: {}, signal }));
}

async function mirror({ as }: VikingDeps, { key, operation, target }: MemoryWrite, signal: AbortSignal): Promise<void> {
  const { user, ask } = await as(PROFILE, signal);
  const write = (uri: string, content: string, mode: 'create' | 'replace') =>
    ask({ method: 'POST', path: '/api/v1/content/write', body: { uri, content, mode }, signal });
  if (operation.action === 'add') return void (await write(toMirrorUri(user, target, key), operation.content, 'create'));
  const [first, ...more] = await findMirrored({ user, ask }, toMirrorFolder(user, target), operation.oldText, signal);
  const gone = operation.action === 'remove' && first !== undefined ? [first, ...more] : more;
  for (const uri of gone) await ask({ method: 'DELETE', path: '/api/v1/fs', query: { uri }, signal });
  if (operation.action === 'remove') return;
  await (first === undefined
    ? write(toMirrorUri(user, target, key), operation.content, 'create')
    : write(first, operation.content, 'replace'));
}

async function findMirrored({ ask }: VikingUser, folder: string, oldText: string, signal: AbortSignal): Promise<string[]> {
  const listed = await orMissing(ask({ method: 'GET', path: '/api/v1/fs/ls', query: { uri: folder, output: 'original' }, signal }));
  const files = readList(listed, 'result').flatMap((each) => (readPath(each, 'isDir') === true ? [] : (readStringAt(each, 'uri') ?? [])));
  const found: string[] = [];
  for (const uri of files.filter((each) => each.startsWith(`${folder}/`) && each.endsWith('.md')))
    if (
      readStringAt(await orMissing(ask({ method: 'GET', path: '/api/v1/content/read', query: { uri }, signal })), 'result')?.includes(
        oldText,
      ) === true
    )
      found.push(uri);
  return found;
}

/** What is not there yet holds nothing. */
async function orMissing(answer: Promise<Json>): Promise<Json> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof MemoryServiceError && error.status === 404) return null;
    throw error;
  }
}
