import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseJson } from '../../base/json.ts';
import type { Json } from '../../base/json-types.ts';
import { closeServer, listenLocally, originOf } from '../loopback/local-server.ts';

/** One request to a fake memory service, as its routes see it. */
export interface MemoryServerRequest {
  readonly method: string;
  /** Without the query, not decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Json | undefined;
}
export interface MemoryServerAnswer {
  readonly status?: number;
  readonly body?: Json;
  /** A body that is no JSON. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
/** Parts of the path that a route names with `:` come decoded, in their order. */
export type MemoryServerRoute = (request: MemoryServerRequest, ...parts: string[]) => MemoryServerAnswer;

/** What goes wrong with the next request: it is answered like this and nothing is done, or never answered at all. */
export type MemoryServerFault = MemoryServerAnswer | 'silence' | 'cut';

export interface MemoryServer extends AsyncDisposable {
  readonly url: string;
  /** Everything that was asked, in order. */
  readonly requests: readonly MemoryServerRequest[];
  /** Faults for the next requests, one each. */
  readonly faults: MemoryServerFault[];
}
export interface MemoryServerOptions {
  /** `METHOD /path/:part` to what it does. */
  readonly routes: Readonly<Record<string, MemoryServerRoute>>;
  /** What is wrong with a request before any route sees it: a key that is missing. */
  readonly refuse?: (request: MemoryServerRequest) => MemoryServerAnswer | undefined;
  /** What an unknown path gets. */
  readonly unknown?: MemoryServerAnswer;
}

/** A memory service on loopback that keeps what it is told, as the real one answers. */
export async function openMemoryServer({
  routes,
  refuse,
  unknown = { status: 404, body: { detail: 'Not Found' } },
}: MemoryServerOptions): Promise<MemoryServer> {
  const table = Object.entries(routes).map(([name, route]) => ({ ...toPattern(name), route }));
  const requests: MemoryServerRequest[] = [];
  const faults: MemoryServerFault[] = [];
  const answer = (request: MemoryServerRequest): MemoryServerAnswer => {
    const refused = refuse?.(request);
    if (refused !== undefined) return refused;
    for (const { method, pattern, route } of table) {
      const found = method === request.method ? pattern.exec(request.path) : null;
      if (found !== null) return route(request, ...found.slice(1).map(decodeURIComponent));
    }
    return unknown;
  };
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await readRequest(incoming);
    requests.push(request);
    const fault = faults.shift();
    if (fault === 'silence') return;
    if (fault === 'cut') return void incoming.socket.destroy();
    send(response, fault ?? answer(request));
  };
  const server = createServer((incoming, response) => void serve(incoming, response));
  await listenLocally(server);
  return { url: originOf(server), requests, faults, [Symbol.asyncDispose]: () => closeServer(server) };
}

function toPattern(name: string): { readonly method: string; readonly pattern: RegExp } {
  const [method = '', path = ''] = name.split(' ');
  return { method, pattern: new RegExp(`^${path.replaceAll(/:[a-z_]+/g, '([^/]+)')}$`) };
}

async function readRequest(incoming: IncomingMessage): Promise<MemoryServerRequest> {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://loopback');
  const text = (await incoming.toArray()).join('');
  return {
    method: incoming.method ?? '',
    path: pathname,
    query: searchParams,
    headers: incoming.headers,
    body: text === '' ? undefined : parseJson(text),
  };
}

function send(response: ServerResponse, { status = 200, body, text, headers = {} }: MemoryServerAnswer): void {
  response.writeHead(status, { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers });
  response.end(body === undefined ? text : JSON.stringify(body));
}

const wordsIn = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

/** Likeness without a model: which share of the words of a query a text has. */
export function likeness(query: string, text: string): number {
  const [asked, there] = [wordsIn(query), wordsIn(text)];
  return asked.size === 0 ? 0 : [...asked].filter((word) => there.has(word)).length / asked.size;
}

/** The best first, those that have nothing in common left out. */
export const rank = <Item>(
  items: readonly Item[],
  query: string,
  toText: (item: Item) => string,
): { readonly item: Item; readonly score: number }[] =>
  items
    .map((item) => ({ item, score: likeness(query, toText(item)) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
