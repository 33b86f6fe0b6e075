import http from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { parseHost } from '../../../base/http.ts';
import type { Env } from '../../../base/env.ts';
import { createSseReader, type SseEvent } from '../../../base/sse.ts';
import type { ServerFrame, Transport, TransportCall } from '../../../contracts/provider.ts';
import { createAgents, type Agents } from './agents.ts';
import { HttpExchange } from './line.ts';
import { asTransportError, TransportError } from './transport-error.ts';

/** A refusal longer than this is no message to anyone. */
const MAX_ERROR_BODY = 1024 * 1024;
/** No answer of a model is longer. */
const MAX_ANSWER_MB = 32;
/** An idle socket is given up before most servers close it, so that a call does not meet a dying one. */
const KEEP_ALIVE_MS = 30_000;

/**
 * HTTP POST with keep-alive; server-sent events or one whole body back. Goes through the proxy that the environment names. Closing it closes
 * the sockets that lie idle.
 */
export function httpSse(env: Env = process.env): Transport & Disposable {
  const agents = createAgents(env, { keepAlive: true, timeout: KEEP_ALIVE_MS, scheduling: 'lifo' });
  return { open: (call) => open(call, agents), [Symbol.dispose]: () => dropIdle(agents) };
}

async function* open(call: TransportCall, agents: Agents): AsyncGenerator<readonly ServerFrame[], void> {
  if (URL.parse(call.url) === null) throw new TransportError('connect', 'connect', `${call.url} is not an address`);
  const way = agents.wayTo(new URL(call.url), call.headers);
  let line = new HttpExchange(call, way);
  try {
    const response = await line.answer().catch((error: unknown) => {
      if (!line.stale) throw error;
      line.close();
      dropIdle(agents);
      line = new HttpExchange(call, way);
      return line.answer();
    });
    refuseRedirect(response, call);
    const ok = isOk(response);
    const body = (await bodyOf(response)).setEncoding('utf8');
    await using chunks = createChunkReader(line, body);
    if (ok && (await beginsAsEvents(chunks, isEvents(response, call)))) yield* events(chunks);
    else yield [await whole(response, chunks, ok)];
  } catch (error) {
    throw line.fault ?? asTransportError(error, line.stage, way.name);
  } finally {
    line.close();
  }
}

/** Sockets that lay idle beside a dead one have most likely died with it. */
function dropIdle({ opened }: Agents): void {
  const free = opened().flatMap((agent) => Object.values(agent.freeSockets));
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

/** The text of a body, of which the beginning can be looked at first. */
interface ChunkReader extends AsyncDisposable {
  /** The next of it; `undefined` at the end. */
  next(): Promise<string | undefined>;
  /** Puts back what was looked at. */
  unread(text: string): void;
}

function createChunkReader(line: HttpExchange, body: Readable): ChunkReader {
  const chunks = body.iterator({ destroyOnReturn: false });
  let [kept, isBegun] = ['', false];
  return {
    next: async () => {
      if (kept !== '') {
        const text = kept;
        kept = '';
        return text;
      }
      // Only the server's silence counts: whoever reads our events may take its time.
      if (isBegun) line.listen();
      const { value, done } = await chunks.next();
      line.heard();
      isBegun = true;
      return done === true ? undefined : String(value);
    },
    unread: (text) => {
      kept = text;
    },
    // Else its listener would keep the rest of the body from being read away.
    [Symbol.asyncDispose]: async () => void (await chunks.return?.()),
  };
}

/** Enough to tell an event from anything else: `event:`, behind a mark and blank lines. */
const TELLING_CHARS = 6;

/** Whether a success is a stream of events. Its first letters tell better than its stated type: servers mix up the two, above all in errors. */
async function beginsAsEvents(chunks: ChunkReader, isStated: boolean): Promise<boolean> {
  let [text, start] = ['', ''];
  while (start.length < TELLING_CHARS && !/^[{[<"]/.test(start)) {
    const chunk = await chunks.next();
    if (chunk === undefined) break;
    text += chunk;
    start = text.replace(/^\uFEFF/, '').trimStart();
  }
  chunks.unread(text);
  if (/^(?:(?:data|event|id|retry)?\s*:|event$)/.test(start)) return true;
  return isStated && !/^[{[<"]/.test(start);
}

async function* events(chunks: ChunkReader): AsyncGenerator<readonly ServerFrame[], void> {
  const reader = createSseReader();
  for (let chunk = await chunks.next(); chunk !== undefined; chunk = await chunks.next()) yield framesOf(reader.feed(chunk));
  yield framesOf(reader.end());
}
const framesOf = (said: readonly SseEvent[]): ServerFrame[] => said.map((event) => ({ type: 'event', ...event }));

async function whole(response: http.IncomingMessage, chunks: ChunkReader, ok: boolean): Promise<ServerFrame> {
  let body = '';
  for (let chunk = await chunks.next(); chunk !== undefined; chunk = await chunks.next()) {
    body += body === '' ? chunk.replace(/^\uFEFF/, '') : chunk;
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
