import http from 'node:http';
import https from 'node:https';
import { hostOf } from '../../../base/http.ts';
import { sseReader } from '../../../base/sse.ts';
import type { ServerFrame, Transport, TransportCall } from '../../../contracts/provider.ts';
import { asTransportError, TransportError, type TransportStage } from './transport-error.ts';

/** A refusal longer than this is no message to anyone. */
const MAX_ERROR_BODY = 1024 * 1024;
/** An idle socket is given up before most servers close it, so that a call does not meet a dying one. */
const KEEP_ALIVE_MS = 30_000;
/** After the last frame the server has this long to end the response; then its socket is not worth keeping. */
const DRAIN_MS = 250;

/** HTTP POST with keep-alive; server-sent events or one whole body back. */
export function httpSse(): Transport {
  const options = { keepAlive: true, timeout: KEEP_ALIVE_MS, scheduling: 'lifo' } as const;
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };
  return { open: (call) => open(call, agents) };
}

interface Agents {
  readonly 'http:': http.Agent;
  readonly 'https:': https.Agent;
}

async function* open(call: TransportCall, agents: Agents): AsyncGenerator<ServerFrame, void> {
  if (URL.parse(call.url) === null) throw new TransportError('connect', 'connect', `${call.url} is not an address`);
  const line = new Line(call, agents);
  try {
    const response = await line.answer();
    refuseRedirect(response, call);
    response.setEncoding('utf8');
    const ok = isOk(response);
    if (ok && isEvents(response, call)) yield* events(line, response);
    else yield await whole(line, response, ok);
  } catch (error) {
    throw line.fault ?? asTransportError(error, line.stage, hostOf(call.url));
  } finally {
    line.close();
  }
}

async function* events(line: Line, response: http.IncomingMessage): AsyncGenerator<ServerFrame, void> {
  const reader = sseReader();
  for await (const chunk of response.iterator({ destroyOnReturn: false })) {
    // The reader of our events may take its time: only silence of the server counts.
    line.heard();
    for (const event of reader.feed(String(chunk))) yield { type: 'event', ...event };
    line.listen();
  }
  line.heard();
  for (const event of reader.end()) yield { type: 'event', ...event };
}

async function whole(line: Line, response: http.IncomingMessage, ok: boolean): Promise<ServerFrame> {
  let body = '';
  for await (const chunk of response.iterator({ destroyOnReturn: false })) {
    line.heard();
    line.listen();
    body += String(chunk);
    if (!ok && body.length > MAX_ERROR_BODY) break;
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
  const words = `${hostOf(call.url)} answered ${status} and points to ${where}; redirects are not followed, so that the key stays with its host`;
  throw new TransportError('redirect', 'first_byte', words);
}

/** One request and its clocks. The first fault is the one that is told. */
class Line {
  fault: TransportError | undefined;
  stage: TransportStage = 'connect';
  readonly #call: TransportCall;
  readonly #request: http.ClientRequest;
  readonly #host: string;
  #timer: NodeJS.Timeout | undefined;
  #firstByte: NodeJS.Timeout | undefined;
  #response: http.IncomingMessage | undefined;

  constructor(call: TransportCall, agents: Agents) {
    this.#call = call;
    this.#host = hostOf(call.url);
    const url = new URL(call.url);
    const secure = url.protocol === 'https:';
    const headers = {
      'content-type': 'application/json',
      accept: call.stream ? 'text/event-stream, application/json' : 'application/json',
      ...call.headers,
    };
    const options = { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(call.body) } };
    this.#request = secure
      ? https.request(url, { ...options, agent: agents['https:'] })
      : http.request(url, { ...options, agent: agents['http:'] });
    // Errors after the response are told by the response; without a listener they would end the process.
    this.#request.on('error', (error) => (this.fault ??= asTransportError(error, this.stage, this.#host)));
  }

  /** Sends and waits for the head of the response. */
  answer(): Promise<http.IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    const { signal, deadlines, body } = this.#call;
    this.#request.once('error', reject);
    this.#request.once('response', (response) => {
      this.#response = response;
      this.listen();
      resolve(response);
    });
    this.#watch('connect', deadlines.connect);
    this.#request.once('socket', (socket) => {
      if (!socket.connecting) return this.#connected();
      socket.once(this.#request.protocol === 'https:' ? 'secureConnect' : 'connect', () => this.#connected());
    });
    signal.addEventListener('abort', this.#abort, { once: true });
    if (signal.aborted) this.#abort();
    else this.#request.end(body);
    return promise;
  }

  /** Counts silence anew. */
  listen(): void {
    this.#watch('idle', this.#call.deadlines.idle);
  }
  /** Bytes came: stops counting. */
  heard(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#firstByte);
  }

  close(): void {
    this.heard();
    this.#call.signal.removeEventListener('abort', this.#abort);
    const response = this.#response;
    if (this.fault !== undefined || response === undefined) this.#request.destroy();
    else if (!response.complete) drain(response);
  }

  /** The first byte of the answer itself counts, not of its headers: many servers send those at once and then begin to think. */
  #connected(): void {
    clearTimeout(this.#timer);
    this.stage = 'first_byte';
    this.#firstByte = this.#clock('first_byte', this.#call.deadlines.firstByte);
  }
  #watch(stage: TransportStage, ms: number): void {
    clearTimeout(this.#timer);
    this.stage = stage;
    this.#timer = this.#clock(stage, ms);
  }
  #clock(stage: TransportStage, ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#fail(new TransportError('timeout', stage, `${this.#host}: ${SILENCE[stage]} for ${ms / 1000} s`)), ms);
  }
  readonly #abort = (): void => this.#fail(new TransportError('cancelled', this.stage, 'stopped by the caller'));

  #fail(fault: TransportError): void {
    this.fault ??= fault;
    this.#response?.destroy(fault);
    this.#request.destroy(fault);
  }
}

const SILENCE: Readonly<Record<TransportStage, string>> = {
  connect: 'no connection',
  first_byte: 'no first byte of an answer',
  idle: 'silence in the middle of the answer',
};

/** Reads a response that has said its last word to its end, so that the socket can serve the next call. */
function drain(response: http.IncomingMessage): void {
  const timer = setTimeout(() => response.destroy(), DRAIN_MS);
  timer.unref();
  response.once('close', () => clearTimeout(timer)).on('error', () => undefined);
  response.resume();
}
