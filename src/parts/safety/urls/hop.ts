import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import { ACCEPTED, readBody, type ReadBody } from './body.ts';
import { firstThatOpens, openTunnel } from './proxy.ts';

/** One request to one place, whose addresses have been judged. */
export interface HopRequest {
  readonly url: URL;
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly string[];
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly proxy?: URL;
}
export interface HopAnswer extends ReadBody {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
export const isRedirect = ({ status, headers }: Pick<HopAnswer, 'status' | 'headers'>): boolean =>
  REDIRECTS.has(status) && headers['location'] !== undefined;

/** Sends the request and reads the answer; of a redirect only its head. Throws what the network says. */
export async function requestHop(ask: HopRequest): Promise<HopAnswer> {
  const response = await send(ask, ask.proxy === undefined ? pinned(ask.addresses) : await through(ask, ask.proxy));
  const head = { status: response.statusCode ?? 0, headers: flat(response) };
  try {
    if (isRedirect(head)) return { ...head, body: Buffer.alloc(0), cut: false };
    return { ...head, ...(await readBody(response, head.headers['content-encoding'] ?? '', ask.maxBytes)) };
  } finally {
    response.destroy();
  }
}

async function send({ url, method, headers, body, signal }: HopRequest, route: RequestOptions): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = (url.protocol === 'https:' ? process.getBuiltinModule('node:https').request : httpRequest)(url, {
    ...route,
    method,
    signal,
    headers: { accept: '*/*', 'accept-encoding': ACCEPTED, ...(body !== undefined && lengthOf(body)), ...headers },
  });
  request.once('response', resolve);
  // Also what goes wrong while the body is read: that is told by the response, and must not be thrown into the void here.
  request.on('error', reject);
  request.end(body);
  return promise;
}

/** Node leaves it out of a DELETE, whose body then reads as the next request. */
const lengthOf = (body: string) => ({ 'content-length': String(Buffer.byteLength(body)) });

/**
 * The name is not looked up again: between a judgement and a connection a name server could change its mind. Name and
 * certificate stay those of the URL. A connection of its own, so that none that was opened under another judgement is used.
 */
function pinned(addresses: readonly string[]): RequestOptions {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const lookup: LookupFunction = (_host, options, callback) => {
    const [first] = found;
    if (options.all === true) return callback(null, found);
    callback(null, first?.address ?? '', first?.family ?? 4);
  };
  return { agent: false, lookup };
}

async function through({ url, host, port, addresses, signal }: HopRequest, proxy: URL): Promise<RequestOptions> {
  const socket = await firstThatOpens(addresses, (address) => openTunnel(proxy, address, port, signal));
  const secure = url.protocol === 'https:';
  return {
    createConnection: () =>
      secure ? process.getBuiltinModule('node:tls').connect({ socket, ...(!host.includes(':') && { servername: host }) }) : socket,
  };
}

const flat = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
