import { randomUUID } from 'node:crypto';
import { isObject, readPath, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { openMemoryServer, rank, type MemoryServer, type MemoryServerAnswer, type MemoryServerRoute } from './memory-server.ts';

interface HonchoMessage {
  readonly id: string;
  readonly content: string;
  readonly peer_id: string;
  readonly session_id: string;
  readonly workspace_id: string;
  readonly metadata: JsonObject;
  readonly created_at: string;
  readonly token_count: number;
}
interface StoredConclusion {
  readonly id: string;
  readonly content: string;
  readonly observer_id: string;
  readonly observed_id: string;
  readonly session_id: string | null;
  readonly level: string;
  readonly created_at: string;
}
interface HonchoWorkspace {
  readonly peers: Map<string, { readonly created_at: string; card: readonly string[] | null }>;
  readonly sessions: Map<string, { readonly created_at: string; readonly peers: JsonObject }>;
  readonly messages: HonchoMessage[];
  readonly conclusions: StoredConclusion[];
}
export interface HonchoServer extends MemoryServer {
  readonly workspaces: ReadonlyMap<string, HonchoWorkspace>;
}

const ID = /^[A-Za-z0-9_-]{1,512}$/;
const missing = (what: string): MemoryServerAnswer => ({ status: 404, body: { detail: `${what} not found` } });
const invalid = (detail: string): MemoryServerAnswer => ({ status: 422, body: { detail } });

type WorkspaceRoute = (
  workspace: HonchoWorkspace,
  id: string,
  request: Parameters<MemoryServerRoute>[0],
  ...parts: string[]
) => MemoryServerAnswer;
type Within = (route: WorkspaceRoute) => MemoryServerRoute;
type HonchoRoutes = Readonly<Record<string, MemoryServerRoute>>;

/** Honcho: everything a peer says that is observed becomes a conclusion, word for word, since there is no model that could make more of it. */
export async function openHonchoServer(key: string): Promise<HonchoServer> {
  const workspaces = new Map<string, HonchoWorkspace>();
  /** Routes below a workspace; one that is not there is not found. */
  const within: Within =
    (route) =>
    (request, id = '', ...parts) => {
      const workspace = workspaces.get(id);
      return workspace === undefined ? missing('Workspace') : route(workspace, id, request, ...parts);
    };
  const server = await openMemoryServer({
    refuse: ({ headers }) => (headers['authorization'] === `Bearer ${key}` ? undefined : { status: 401, body: { detail: 'Invalid JWT' } }),
    routes: {
      'POST /v3/workspaces': ({ body }) => {
        const id = readStringAt(body, 'id') ?? '';
        if (!ID.test(id)) return invalid('Invalid workspace id');
        if (!workspaces.has(id)) workspaces.set(id, { peers: new Map(), sessions: new Map(), messages: [], conclusions: [] });
        return { body: { id, metadata: {}, configuration: {}, created_at: new Date().toISOString() } };
      },
      ...toPeerRoutes(within),
      ...toSessionRoutes(within),
      ...toConclusionRoutes(within),
    },
  });
  return { ...server, workspaces };
}

const toPeerRoutes = (within: Within): HonchoRoutes => ({
  'POST /v3/workspaces/:w/peers': within((workspace, id, { body }) => {
    const name = readStringAt(body, 'id') ?? '';
    return ID.test(name) ? { body: toPeer(addPeer(workspace, name), name, id) } : invalid('Invalid peer id');
  }),
  'POST /v3/workspaces/:w/peers/list': within((workspace, id, { query }) => ({
    body: page(
      [...workspace.peers].map(([name, peer]) => toPeer(peer, name, id)),
      query,
    ),
  })),
  'POST /v3/workspaces/:w/peers/:p/search': within((workspace, _id, { body }, peer = '') => ({
    body: rank(
      workspace.messages.filter(({ peer_id: by }) => by === peer),
      readStringAt(body, 'query') ?? '',
      ({ content }) => content,
    ).map(({ item }) => ({ ...item })),
  })),
  'GET /v3/workspaces/:w/peers/:p/card': within((workspace, _id, _request, peer = '') => ({
    body: { peer_card: workspace.peers.get(peer)?.card ?? null },
  })),
  'PUT /v3/workspaces/:w/peers/:p/card': within((workspace, _id, { body }, peer = '') => {
    const lines = readPath(body, 'peer_card');
    const card = Array.isArray(lines) ? lines.flatMap((line: Json) => (typeof line === 'string' ? [line] : [])) : null;
    addPeer(workspace, peer).card = card;
    return { body: { peer_card: card } };
  }),
  'GET /v3/workspaces/:w/peers/:p/context': within((workspace, _id, { query }, peer = '') => {
    const found = workspace.peers.get(peer);
    if (found === undefined) return missing('Peer');
    const representation = toRepresentation(workspace, peer, query.get('search_query') ?? undefined);
    return { body: { peer_id: peer, target_id: peer, representation, peer_card: found.card } };
  }),
  'POST /v3/workspaces/:w/peers/:p/representation': within((workspace, _id, { body }, peer = '') => ({
    body: { representation: toRepresentation(workspace, peer, readStringAt(body, 'search_query')) },
  })),
  'POST /v3/workspaces/:w/peers/:p/chat': within((workspace, _id, { body }, peer = '') => {
    const known = rank(ownOf(workspace, peer), readStringAt(body, 'query') ?? '', ({ content }) => content).map(({ item }) => item.content);
    return { body: { content: known.length === 0 ? 'Nothing is known about that.' : `What is known: ${known.join('; ')}` } };
  }),
});

const toSessionRoutes = (within: Within): HonchoRoutes => ({
  'POST /v3/workspaces/:w/sessions': within((workspace, id, { body }) => addSession(workspace, id, body ?? null)),
  'POST /v3/workspaces/:w/sessions/:s/peers': within((workspace, id, { body }, session = '') =>
    addSession(workspace, id, { id: session, peers: body ?? null }),
  ),
  'POST /v3/workspaces/:w/sessions/:s/messages': within((workspace, id, { body }, session = '') =>
    addMessages(workspace, id, session, body ?? null),
  ),
  'POST /v3/workspaces/:w/sessions/:s/messages/list': within((workspace, _id, { body, query }, session = '') => {
    if (!workspace.sessions.has(session)) return missing('Session');
    const wanted = readPath(body, 'filters', 'metadata');
    const fits = ({ metadata }: HonchoMessage) =>
      !isObject(wanted) || Object.entries(wanted).every(([name, value]) => metadata[name] === value);
    const found = workspace.messages.filter((message) => message.session_id === session && fits(message));
    return {
      body: page(
        found.map((message) => ({ ...message })),
        query,
      ),
    };
  }),
  'GET /v3/workspaces/:w/sessions/:s/context': within((workspace, _id, _request, session = '') => {
    if (!workspace.sessions.has(session)) return missing('Session');
    const messages = workspace.messages.filter((message) => message.session_id === session).map((message) => ({ ...message }));
    return { body: { id: session, messages, summary: null, peer_representation: null, peer_card: null } };
  }),
});

const toConclusionRoutes = (within: Within): HonchoRoutes => ({
  'POST /v3/workspaces/:w/conclusions': within((workspace, _id, { body }) => addConclusions(workspace, body ?? null)),
  'POST /v3/workspaces/:w/conclusions/list': within((workspace, _id, { body, query }) => ({
    body: page(
      workspace.conclusions.filter(matches(readPath(body, 'filters'))).map((each) => ({ ...each })),
      query,
    ),
  })),
  'POST /v3/workspaces/:w/conclusions/query': within((workspace, _id, { body }) => {
    const most = readPath(body, 'top_k');
    const found = rank(
      workspace.conclusions.filter(matches(readPath(body, 'filters'))),
      readStringAt(body, 'query') ?? '',
      ({ content }) => content,
    );
    return { body: found.slice(0, typeof most === 'number' ? most : 10).map(({ item }) => ({ ...item })) };
  }),
  'GET /v3/workspaces/:w/conclusions/:c': within((workspace, _id, _request, conclusion = '') => {
    const found = workspace.conclusions.find(({ id }) => id === conclusion);
    return found === undefined ? missing('Conclusion') : { body: { ...found } };
  }),
  'DELETE /v3/workspaces/:w/conclusions/:c': within((workspace, _id, _request, conclusion = '') => {
    const at = workspace.conclusions.findIndex(({ id }) => id === conclusion);
    if (at < 0) return missing('Conclusion');
    workspace.conclusions.splice(at, 1);
    return { status: 204 };
  }),
});

function addPeer({ peers }: HonchoWorkspace, name: string) {
  const peer = peers.get(name) ?? { created_at: new Date().toISOString(), card: null };
  peers.set(name, peer);
  return peer;
}
const toPeer = ({ created_at }: { readonly created_at: string }, id: string, workspace: string): JsonObject => ({
  id,
  workspace_id: workspace,
  metadata: {},
  configuration: {},
  created_at,
});

function addSession(workspace: HonchoWorkspace, workspaceId: string, body: Json): MemoryServerAnswer {
  const id = readStringAt(body, 'id') ?? '';
  if (!ID.test(id)) return invalid('Invalid session id');
  const given = readPath(body, 'peers');
  const before = workspace.sessions.get(id);
  const peers = { ...before?.peers, ...(isObject(given) && given) };
  for (const name of Object.keys(peers)) addPeer(workspace, name);
  const session = { created_at: before?.created_at ?? new Date().toISOString(), peers };
  workspace.sessions.set(id, session);
  return { body: { id, workspace_id: workspaceId, is_active: true, metadata: {}, configuration: {}, created_at: session.created_at } };
}

function addMessages(workspace: HonchoWorkspace, workspaceId: string, sessionId: string, body: Json): MemoryServerAnswer {
  const session = workspace.sessions.get(sessionId);
  const given = readPath(body, 'messages');
  if (session === undefined) return missing('Session');
  if (!Array.isArray(given) || given.length === 0 || given.length > 100) return invalid('1 to 100 messages are taken');
  const messages = given.map((each: Json): HonchoMessage => {
    const metadata = readPath(each, 'metadata');
    const content = readStringAt(each, 'content') ?? '';
    const facts = { peer_id: readStringAt(each, 'peer_id') ?? '', session_id: sessionId, workspace_id: workspaceId };
    const created = readStringAt(each, 'created_at') ?? new Date().toISOString();
    return {
      id: randomUUID(),
      content,
      ...facts,
      metadata: isObject(metadata) ? metadata : {},
      created_at: created,
      token_count: content.length,
    };
  });
  if (messages.some(({ content }) => content.length > 25_000)) return invalid('content: String should have at most 25000 characters');
  workspace.messages.push(...messages);
  for (const { peer_id: peer, content, created_at } of messages)
    if (readPath(session.peers, peer, 'observe_me') !== false)
      workspace.conclusions.push({
        id: randomUUID(),
        content,
        observer_id: peer,
        observed_id: peer,
        session_id: sessionId,
        level: 'explicit',
        created_at,
      });
  return { status: 201, body: messages.map((message) => ({ ...message })) };
}

function addConclusions(workspace: HonchoWorkspace, body: Json): MemoryServerAnswer {
  const given = readPath(body, 'conclusions');
  if (!Array.isArray(given) || given.length === 0) return invalid('conclusions are required');
  const made = given.map((each: Json): StoredConclusion => ({
    id: randomUUID(),
    content: readStringAt(each, 'content') ?? '',
    observer_id: readStringAt(each, 'observer_id') ?? '',
    observed_id: readStringAt(each, 'observed_id') ?? '',
    session_id: readStringAt(each, 'session_id') ?? null,
    level: 'explicit',
    created_at: new Date().toISOString(),
  }));
  const unknown = made.find(
    ({ observer_id, observed_id, session_id: at }) =>
      !workspace.peers.has(observer_id) || !workspace.peers.has(observed_id) || (at !== null && !workspace.sessions.has(at)),
  );
  if (unknown !== undefined) return missing('Peer or session');
  workspace.conclusions.push(...made);
  return { status: 201, body: made.map((each) => ({ ...each })) };
}

const ownOf = ({ conclusions }: HonchoWorkspace, peer: string) =>
  conclusions.filter((each) => each.observer_id === peer && each.observed_id === peer);

/** One line for each conclusion, with its time, as the service writes them. */
function toRepresentation(workspace: HonchoWorkspace, peer: string, query: string | undefined): string {
  const own = ownOf(workspace, peer);
  const shown = query === undefined ? own : rank(own, query, ({ content }) => content).map(({ item }) => item);
  const lines = shown.map(({ created_at, content }) => `[${created_at.slice(0, 19).replace('T', ' ')}] ${content}`);
  return lines.length === 0 ? '' : ['## Explicit Observations', '', ...lines].join('\n');
}

/** Equal fields, also those that the public SDK names without `_id`. */
const matches =
  (filters: Json | undefined) =>
  (each: StoredConclusion): boolean =>
    !isObject(filters) || Object.entries(filters).every(([name, value]) => Reflect.get(each, name in each ? name : `${name}_id`) === value);

function page(items: readonly JsonObject[], query: URLSearchParams): JsonObject {
  const [number, size] = [Number(query.get('page') ?? 1), Number(query.get('size') ?? 50)];
  return {
    items: items.slice((number - 1) * size, number * size),
    page: number,
    size,
    total: items.length,
    pages: Math.max(1, Math.ceil(items.length / size)),
  };
}
