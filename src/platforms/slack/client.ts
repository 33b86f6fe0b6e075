import http from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readTextBody } from '../../base/text-body.ts';
import { parseHost } from '../../base/http.ts';
import { readForeignAnswer, TOO_LARGE } from '../../base/foreign-answer.ts';
import { explainNetworkError } from '../../base/network-words.ts';
import { isObject, parseJson } from '../../base/json.ts';
import { readRetryAfter } from '../../base/retry-after.ts';
import type { JsonObject } from '../../base/json-types.ts';

/** What came of a call. */
export type SlackAnswer = { readonly type: 'ok'; readonly body: JsonObject } | SlackFailure;
export type SlackFailure =
  /** Slack says no, by name: `channel_not_found`. */
  | { readonly type: 'error'; readonly error: string }
  | { readonly type: 'limited'; readonly retryAfterMs: number }
  /** Surely not carried out: nobody was reached, or Slack is not able now. */
  | { readonly type: 'unreached'; readonly why: string }
  /** The call went out, and no answer tells what became of it. */
  | { readonly type: 'lost'; readonly why: string };

export interface SlackCallOptions {
  readonly token: string;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}
export interface SlackFetchOptions {
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: string | Readable;
  readonly signal: AbortSignal;
}
export type SlackFetched =
  | { readonly type: 'response'; readonly status: number; readonly headers: http.IncomingHttpHeaders; readonly body: Readable }
  | Extract<SlackFailure, { type: 'unreached' | 'lost' }>;

const CALL_MS = 30_000;
/** A connection that carries a file may be silent for so long. */
const SILENCE_MS = 30_000;
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
/** An idle connection is closed before Slack does it: a send that meets a dying one has an unknown end. */
const IDLE_MS = 10_000;
/** Said by Slack when it was not asked at a good time; the call was not carried out. */
const UNABLE = new Set(['service_unavailable', 'team_added_to_org', 'accesslimited']);
/** Slack itself does not know what became of it. */
const UNSURE = new Set(['internal_error', 'fatal_error', 'request_timeout']);

/** Calls of the Web API. Each client has connections of its own; disposing it cuts them. */
export class SlackClient implements Disposable {
  readonly #apiUrl: string;
  readonly #agents = new Map<string, http.Agent>();
  /** Slack's clock less ours, in milliseconds; 0 while they agree. */
  #skewMs = 0;

  constructor(apiUrl: string) {
    this.#apiUrl = apiUrl;
  }

  [Symbol.dispose](): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }

  /** The time by Slack's clock. */
  now(ours = Date.now()): number {
    return ours + this.#skewMs;
  }

  /** Never throws for what the network or Slack does. */
  async call(method: string, params: JsonObject, { token, signal, timeoutMs = CALL_MS }: SlackCallOptions): Promise<SlackAnswer> {
    const headers = { authorization: `Bearer ${token}` };
    return this.post(this.#apiUrl + method, writeForm(params), { headers, signal, timeoutMs, type: 'application/x-www-form-urlencoded' });
  }

  /** Posts a text to any address of Slack's, and reads the answer as that of a method. */
  async post(
    url: string,
    body: string,
    options: Omit<SlackFetchOptions, 'method' | 'body'> & { type: string; timeoutMs?: number },
  ): Promise<SlackAnswer> {
    const { headers, timeoutMs = CALL_MS, type } = options;
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)]);
    const fetched = await this.fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': `${type}; charset=utf-8`, 'content-length': Buffer.byteLength(body) },
      body,
      signal,
    });
    if (fetched.type !== 'response') return fetched;
    try {
      return readAnswer(fetched.status, fetched.headers, await readTextBody(fetched.body, MAX_ANSWER_BYTES));
    } catch (error) {
      return { type: 'lost', why: explain(url, error, signal) };
    }
  }

  async fetch(url: string, { method, headers = {}, body, signal }: SlackFetchOptions): Promise<SlackFetched> {
    const address = new URL(url);
    const { request: open } = moduleOf(address.protocol);
    const request = open(address, { method, headers, agent: this.#agentOf(address.protocol), signal });
    request.setTimeout(SILENCE_MS, () => request.destroy(new Error('no answer')));
    const exchange = watch(request);
    try {
      const [response] = await Promise.all([exchange.response, sendBody(request, body)]);
      this.#readClock(response.headers.date);
      return { type: 'response', status: response.statusCode ?? 0, headers: response.headers, body: response };
    } catch (error) {
      request.destroy();
      return { type: exchange.isConnected() ? 'lost' : 'unreached', why: explain(url, error, signal) };
    }
  }

  #agentOf(protocol: string): http.Agent {
    const known = this.#agents.get(protocol);
    if (known !== undefined) return known;
    const { Agent } = moduleOf(protocol);
    const agent = new Agent({ keepAlive: true, timeout: IDLE_MS, scheduling: 'lifo' });
    this.#agents.set(protocol, agent);
    return agent;
  }

  /** The header counts in seconds, and an answer takes a while: only more than that is a difference. */
  #readClock(date: string | undefined): void {
    const skew = Date.parse(date ?? '') - Date.now();
    if (!Number.isNaN(skew)) this.#skewMs = Math.abs(skew) > 5_000 ? skew : 0;
  }
}

/** TLS is loaded when it is needed. */
const moduleOf = (protocol: string): Pick<typeof http, 'Agent' | 'request'> =>
  protocol === 'https:' ? process.getBuiltinModule('node:https') : http;

function watch(request: http.ClientRequest) {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  let isConnected = false;
  request.once('response', resolve).on('error', reject);
  request.once('socket', (socket) => {
    isConnected = !socket.connecting;
    if (socket.connecting) socket.once('connect', () => (isConnected = true));
  });
  return { response: promise, isConnected: () => isConnected };
}

async function sendBody(request: http.ClientRequest, body: string | Readable | undefined): Promise<void> {
  if (body === undefined || typeof body === 'string') request.end(body);
  else await pipeline(body, request);
}

/** Structures go as JSON, the only form in which every method takes them. */
function writeForm(params: JsonObject): string {
  const pairs = Object.entries(params).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
  );
  return new URLSearchParams(pairs).toString();
}

function readAnswer(status: number, headers: http.IncomingHttpHeaders, text: string): SlackAnswer {
  const body = parseJson(text);
  const isOwn = isObject(body) && typeof body['ok'] === 'boolean';
  const error = isOwn && typeof body['error'] === 'string' ? body['error'] : undefined;
  // A bit more than asked for: the header is rounded down.
  if (status === 429 || error === 'ratelimited')
    return { type: 'limited', retryAfterMs: (readRetryAfter(headers['retry-after'], Date.now()) ?? 1_000) + 500 };
  if (status === 503 || UNABLE.has(error ?? '')) return { type: 'unreached', why: `Slack is unavailable right now (${error ?? status})` };
  if (status >= 500 || UNSURE.has(error ?? '')) return { type: 'lost', why: `Slack failed (${error ?? status})` };
  if (error !== undefined) return { type: 'error', error };
  // A response URL answers with a bare "ok".
  if (status === 200 && text === 'ok') return { type: 'ok', body: {} };
  if (isOwn && body['ok'] === true) return { type: 'ok', body };
  return status === TOO_LARGE ? { type: 'error', error: 'request_too_large' } : readForeignAnswer('Slack', status);
}

function explain(url: string, error: unknown, signal: AbortSignal): string {
  const host = parseHost(url);
  const isLate = signal.reason instanceof Error && signal.reason.name === 'TimeoutError';
  if (signal.aborted) return isLate ? `${host} did not answer in time` : `the call to ${host} was stopped`;
  return `${host}: ${explainNetworkError(error)}`;
}

/** In words, for logs and receipts. */
export function explainFailure(failure: SlackFailure): string {
  if (failure.type === 'error') return `Slack says ${failure.error}`;
  if (failure.type === 'limited') return `Slack asks to wait ${Math.ceil(failure.retryAfterMs / 1000)} s`;
  return failure.why;
}
