import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import { toErrorMessage } from '../../base/errors.ts';
import { waitAtMost, runWithTimeout } from '../../base/waits.ts';
import type { InboundAnswer, InboundRoute } from '../../contracts/platform-adapter.ts';
import type { WriteLog } from './contract.ts';

export interface ListenerOptions {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** Names by which it may be addressed, besides those of this machine: what a proxy in front of it is called. */
  readonly names: readonly string[];
  readonly log: WriteLog;
  readonly times?: ListenerTimes;
}
export interface ListenerTimes {
  /** For a request to arrive as a whole. */
  readonly requestMs: number;
  /** For an answer to be found. */
  readonly answerMs: number;
  /** For requests in hand when the listener closes. */
  readonly drainMs: number;
}
const LISTENER_TIMES: ListenerTimes = { requestMs: 30_000, answerMs: 30_000, drainMs: 5_000 };
const MAX_CONNECTIONS = 256;
const MAX_HEADER_BYTES = 16_384;
const NEAR = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The one HTTP server of a gateway. It listens from the first route on, and closes with the gateway: requests in hand are
 * answered, no others are taken.
 */
export interface Listener extends AsyncDisposable {
  /** Answers requests to a path and to what lies below it, until it is given back. */
  listen(route: InboundRoute): Promise<AsyncDisposable>;
  /** Where it listens; absent before the first route. */
  readonly port: number | undefined;
}

export function createListener(options: ListenerOptions): Listener {
  const routes = new Map<string, InboundRoute>();
  let opening: Promise<Server> | undefined;
  let opened: Server | undefined;
  let isClosing = false;
  const open = async (): Promise<Server> => {
    opened = await startServer(options, (request, response) => {
      void handle(request, response, { ...options, routes, isClosing: () => isClosing });
    });
    return opened;
  };
  return {
    get port() {
      const address: AddressInfo | string | null | undefined = opened?.address();
      return typeof address === 'object' && address !== null ? address.port : undefined;
    },
    listen: async (route) => {
      if (isClosing) throw new Error('The gateway is closing.');
      if (routes.has(route.path)) throw new Error(`Another platform listens at ${route.path} already. Give one of them another path.`);
      routes.set(route.path, route);
      opening ??= open();
      try {
        await opening;
      } catch (error) {
        [opening, opened] = [undefined, undefined];
        routes.delete(route.path);
        throw error;
      }
      return { [Symbol.asyncDispose]: async () => void routes.delete(route.path) };
    },
    [Symbol.asyncDispose]: async () => {
      isClosing = true;
      const server = await opening?.catch(() => undefined);
      if (server === undefined) return;
      const closed = new Promise((done) => server.close(done));
      server.closeIdleConnections();
      await waitAtMost(closed, (options.times ?? LISTENER_TIMES).drainMs);
      server.closeAllConnections();
      await closed;
    },
  };
}

async function startServer(
  { host, port, times = LISTENER_TIMES }: ListenerOptions,
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> {
  const limits = { maxHeaderSize: MAX_HEADER_BYTES, requestTimeout: times.requestMs, headersTimeout: times.requestMs };
  const server = createServer({ ...limits, connectionsCheckingInterval: Math.min(times.requestMs, 5_000) }, onRequest);
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((done, fail) => {
    server.once('error', (error) =>
      fail(new Error(`Nothing can listen at ${host}:${port}: ${error.message}. Set gateway.listen_port to a free port.`)),
    );
    server.listen({ host, port }, done);
  });
  return server;
}

interface HandlingDeps extends ListenerOptions {
  readonly routes: ReadonlyMap<string, InboundRoute>;
  readonly isClosing: () => boolean;
}

async function handle(request: IncomingMessage, response: ServerResponse, deps: HandlingDeps): Promise<void> {
  response.on('error', () => {});
  try {
    reply(response, await answer(request, deps));
  } catch (error) {
    deps.log(`A request from outside could not be answered: ${toErrorMessage(error)}`);
    reply(response, { status: 500 });
  }
  // What was not read of a request is not worth a connection.
  if (!request.complete) request.destroy();
}

async function answer(request: IncomingMessage, deps: HandlingDeps): Promise<InboundAnswer> {
  if (deps.isClosing()) return { status: 503 };
  if (!isNamed(request.headers.host, deps)) return { status: 421 };
  const path = new URL(request.url ?? '/', 'http://gateway').pathname;
  const route = findRoute(path, deps.routes);
  if (route === undefined) return { status: 404 };
  const body = await readBody(request, route.maxBytes);
  if (body === undefined) return { status: 413 };
  const { answerMs } = deps.times ?? LISTENER_TIMES;
  const asked = { method: request.method ?? 'GET', path, headers: flatten(request), body };
  return runWithTimeout(() => route.answer(asked), answerMs, new Error(`${route.path} did not answer in ${answerMs / 1_000} s.`));
}

/** A page in somebody's browser can send requests here under a name of its own; those are refused. */
function isNamed(header: string | undefined, { host, names }: ListenerOptions): boolean {
  const name = header?.toLowerCase().replace(/:\d+$/, '');
  const own = isIP(host) === 6 ? `[${host}]` : host;
  return name !== undefined && [...NEAR, own, ...names].some((each) => each.toLowerCase() === name);
}

/** The longest path that leads there. */
const findRoute = (path: string, routes: ReadonlyMap<string, InboundRoute>): InboundRoute | undefined =>
  [...routes.values()]
    .filter((route) => path === route.path || path.startsWith(route.path.endsWith('/') ? route.path : `${route.path}/`))
    .toSorted((one, other) => other.path.length - one.path.length)[0];

async function readBody(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes: Uint8Array = chunk;
    size += bytes.length;
    if (size > maxBytes) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const flatten = ({ headers }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
    ),
  );

function reply(response: ServerResponse, { status, body = '', headers = {} }: InboundAnswer): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close', ...headers });
  response.end(body);
}
