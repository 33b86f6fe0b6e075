import http from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { parseHost } from '../../../base/http.ts';
import { lazy } from '../../../base/lazy.ts';
import { createSseReader, type SseEvent } from '../../../base/sse.ts';
import type { ServerFrame, Transport, TransportCall } from '../../../contracts/provider.ts';
import { type Agents, HttpExchange } from './line.ts';
import { asTransportError, TransportError } from './transport-error.ts';

/** A refusal longer than this is no message to anyone. */
const MAX_ERROR_BODY = 1024 * 1024;
/** No answer of a model is longer. */
const MAX_ANSWER_MB = 32;
/** An idle socket is given up before most servers close it, so that a call does not meet a dying one. */
const KEEP_ALIVE_MS = 30_000;

/** HTTP POST with keep-alive; server-sent events or one whole body back. Closing it closes the sockets that lie idle. */
export function httpSse(): Transport & Disposable {
  const options = { keepAlive: true, timeout: KEEP_ALIVE_MS, scheduling: 'lifo' } as const;
  const plain = new http.Agent(options);
  const opened = [plain];
  const secure = lazy(() => {
    const https = process.getBuiltinModule('node:https');
    const agent = new https.Agent(options);
    opened.push(agent);
    return { agent, request: https.request };
  });
  const agents = { plain, secure, opened };
  return { open: (call) => open(call, agents), [Symbol.dispose]: () => dropIdle(agents) };
}

async function* open(call: TransportCall, agents: Agents): AsyncGenerator<readonly ServerFrame[], void> {
  if (URL.parse(call.url) === null) throw new TransportError('connect', 'connect', `${call.url} is not an address`);
  let line = new HttpExchange(call, agents);
  try {
    const response = await line.answer().catch((error: unknown) => {
      if (!line.stale) throw error;
      line.close();
      dropIdle(agents);
      line = new HttpExchange(call, agents);
      return line.answer();
    });
    refuseRedirect(response, call);
    const ok = isOk(response);
    const body = (await bodyOf(response)).setEncoding('utf8');
    if (ok && isEvents(response, call)) yield* events(line, body);
    else yield [await whole(line, response, body, ok)];
  } catch (error) {
    throw line.fault ?? asTransportError(error, line.stage, parseHost(call.url));
  } finally {
    line.close();
  }
}

/** Sockets that lay idle beside a dead one have most likely died with it. */
function dropIdle({ opened }: Agents): void {
  const free = opened.flatMap((agent) => Object.values(agent.freeSockets));
  for (const socket of free.flatMap((sockets) => sockets ?? [])) socket.destroy();
}

/** We ask for none of these; proxies compress all the same, and some do not even say so. */
async function bodyOf(response: http.IncomingMessage): Promise<Readable> {
  const stated = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  const isPlain = stated === '' || stated === 'identity';
  const encoding = isPlain && (await beginsAsGzip(response)) ? 'gzip' : stated;
  if (encoding === '' || encoding === 'identity') return response;
  const zlib = process.getBuiltinModule('node:zlib');
  const decoders: Readonly<Record<string, () => Duplex>> = {
    gzip: zlib.createGunzip,
    'x-gzip': zlib.createGunzip,
    deflate: zlib.createInflate,
    br: zlib.createBrotliDecompress,
    zstd: zlib.createZstdDecompress,
  };
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]?.() : undefined;
  // What breaks is told by the decoder, whose reader is waiting.
  return decoder === undefined ? response : process.getBuiltinModule('node:stream').pipeline(response, decoder, () => {});
}

const GZIP_MARK = Buffer.from([0x1f, 0x8b]);

/** Looks at the first bytes and puts them back. What goes wrong meanwhile is told to whoever reads on. */
async function beginsAsGzip(response: http.IncomingMessage): Promise<boolean> {
  await new Promise<void>((resolve) => {
    for (const event of ['readable', 'end', 'error', 'close']) response.once(event, resolve);
  });
  const first: unknown = response.read();
  if (!Buffer.isBuffer(first)) return false;
  response.unshift(first);
  return first.subarray(0, GZIP_MARK.length).equals(GZIP_MARK);
}

async function* events(line: HttpExchange, body: Readable): AsyncGenerator<readonly ServerFrame[], void> {
  const reader = createSseReader();
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    // The reader of our events may take its time: only silence of the server counts.
    line.heard();
    yield framesOf(reader.feed(String(chunk)));
    line.listen();
  }
  line.heard();
  yield framesOf(reader.end());
}
const framesOf = (said: readonly SseEvent[]): ServerFrame[] => said.map((event) => ({ type: 'event', ...event }));

async function whole(line: HttpExchange, response: http.IncomingMessage, content: Readable, ok: boolean): Promise<ServerFrame> {
  let body = '';
  for await (const chunk of content.iterator({ destroyOnReturn: false })) {
    line.heard();
    line.listen();
    body += String(chunk);
    if (!ok && body.length > MAX_ERROR_BODY) break;
    if (body.length > MAX_ANSWER_MB * 1024 * 1024) throw new RangeError(`the answer is larger than ${MAX_ANSWER_MB} MB`);
  }
  return {
    type: 'response',
    status: response.statusCode ?? 0,
    headers: headersOf(response),
    body: ok ? body : body.slice(0, MAX_ERROR_BODY),
  };
}

const headersOf = (response: http.IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );

const isOk = (response: http.IncomingMessage): boolean => (response.statusCode ?? 0) >= 200 && (response.statusCode ?? 0) < 300;

/** By the type the server states; one that states nothing useful is taken at what we asked for. */
function isEvents(response: http.IncomingMessage, call: TransportCall): boolean {
  const type = response.headers['content-type'] ?? '';
  return /event-stream/i.test(type) || (call.stream && !/json|html/i.test(type));
}

/** The key in our headers belongs to the host we called, so nobody is followed anywhere. */
function refuseRedirect(response: http.IncomingMessage, call: TransportCall): void {
  const status = response.statusCode ?? 0;
  if (status < 300 || status > 399) return;
  const target = URL.parse(response.headers.location ?? '', call.url);
  const where = target === null ? 'nowhere' : `${target.origin}${target.pathname}`;
  const words = `${parseHost(call.url)} answered ${status} and points to ${where}; Hermes does not follow redirects, so that the key is not sent to another host`;
  throw new TransportError('redirect', 'first_byte', words);
}
