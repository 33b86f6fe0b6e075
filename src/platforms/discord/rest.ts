import http from 'node:http';
import { parseHost } from '../../base/http.ts';
import { readForeignAnswer, TOO_LARGE } from '../../base/foreign-answer.ts';
import { explainNetworkError } from '../../base/network-words.ts';
import { isObject, parseJson, readNumberAt, readStringAt } from '../../base/json.ts';
import { readRetryAfter } from '../../base/retry-after.ts';
import type { Json } from '../../base/json-types.ts';
import type { DownloadResult, OutboundMedia } from '../../contracts/platform-adapter.ts';
import { LATE, readText, RestExchange, saveBody, startDeadline, type DownloadTarget } from './exchange.ts';
import { createRateLimits, limitKey } from './rate-limits.ts';

/** What came of a call. */
export type DiscordResult =
  | { readonly type: 'ok'; readonly body: Json | undefined }
  | { readonly type: 'refused'; readonly status: number; readonly code: number; readonly why: string }
  | { readonly type: 'limited'; readonly retryAfterMs: number; readonly isGlobal: boolean }
  /** Surely not carried out: no connection was made. */
  | { readonly type: 'unreached'; readonly why: string }
  /** The call went out, and nobody can tell what became of it. */
  | { readonly type: 'lost'; readonly why: string };

export interface RestCall {
  readonly body?: Json;
  readonly file?: OutboundMedia;
  readonly signal: AbortSignal;
}

/** How long an answer may take. */
const CALL_MS = 30_000;
/** An idle connection is closed before the server does it: a send that meets a dying one has an unknown end. */
const KEEP_ALIVE_MS = 10_000;

/** Calls of one bot, over connections of its own; disposing cuts them. */
export class DiscordRest implements Disposable {
  readonly #apiUrl: string;
  readonly #token: string;
  readonly #agents = new Map<string, http.Agent>();
  readonly #limits = createRateLimits();
  #skewMs = 0;
  #isClosed = false;

  constructor({ token, apiUrl }: { readonly token: string; readonly apiUrl: string }) {
    this.#token = token;
    this.#apiUrl = apiUrl;
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const agent of this.#agents.values()) agent.destroy();
  }

  /** The time by Discord's clock, as its last answer told it. */
  now(): number {
    return Date.now() + this.#skewMs;
  }

  /** Never throws for what the network or Discord does. */
  async call(method: string, path: string, { body, file, signal }: RestCall): Promise<DiscordResult> {
    if (this.#isClosed) return { type: 'unreached', why: 'the connection to Discord was closed' };
    const key = limitKey(method, path);
    const { ms, isGlobal } = this.#limits.waitFor(key);
    if (ms > 0) return { type: 'limited', retryAfterMs: Math.ceil(ms), isGlobal };
    using deadline = startDeadline(signal, CALL_MS);
    const exchange = this.#exchange(method, new URL(this.#apiUrl + path), deadline.signal);
    exchange.request.setHeader('authorization', `Bot ${this.#token}`);
    exchange.request.setHeader('user-agent', 'DiscordBot (https://github.com/hermes-ts, 1)');
    try {
      await (file === undefined ? exchange.sendJson(body) : exchange.sendFile(body, file));
      const response = await exchange.response;
      const text = await readText(response);
      this.#noteTime(response);
      this.#limits.note(key, response.headers);
      return this.#read(response, text);
    } catch (error) {
      return { type: exchange.wasConnected() ? 'lost' : 'unreached', why: this.#explain(error, deadline.signal) };
    }
  }

  #read({ statusCode: status = 0, headers }: http.IncomingMessage, text: string): DiscordResult {
    const body = parseJson(text);
    const isReadable = text === '' || body !== undefined;
    if (status >= 200 && status < 300 && isReadable) return { type: 'ok', body };
    if (status === 429) {
      const asked = readNumberAt(body, 'retry_after');
      const retryAfterMs = Math.ceil(asked === undefined ? (readRetryAfter(headers['retry-after'], Date.now()) ?? 1_000) : asked * 1_000);
      const isGlobal = isObject(body) && body['global'] === true;
      if (isGlobal) this.#limits.blockAll(retryAfterMs);
      return { type: 'limited', retryAfterMs, isGlobal };
    }
    const why = describeRefusal(status, body);
    // Whether it was done before it went wrong, nobody says.
    if (status >= 500) return { type: 'lost', why };
    const code = readNumberAt(body, 'code');
    if (code === undefined && status !== TOO_LARGE) return readForeignAnswer('Discord', status);
    return { type: 'refused', status, code: code ?? 0, why };
  }

  /** Loads a file into `path`, never more of it than is allowed. */
  async download(url: string, to: DownloadTarget, signal: AbortSignal): Promise<DownloadResult> {
    using deadline = startDeadline(signal, CALL_MS * 2);
    const exchange = this.#exchange('GET', new URL(url), deadline.signal);
    try {
      await exchange.sendJson(undefined);
      const response = await exchange.response;
      const status = response.statusCode ?? 0;
      if (status !== 200) {
        response.destroy();
        return { type: 'failed', why: `${parseHost(url)} answered ${status}`, retry: status >= 500 || status === 429 };
      }
      return await saveBody(response, to);
    } catch (error) {
      return { type: 'failed', why: this.#explain(error, deadline.signal), retry: true };
    }
  }

  #exchange(method: string, url: URL, signal: AbortSignal): RestExchange {
    // TLS is loaded when it is needed.
    const module = url.protocol === 'https:' ? process.getBuiltinModule('node:https') : http;
    const agent = this.#agents.get(url.protocol) ?? new module.Agent({ keepAlive: true, timeout: KEEP_ALIVE_MS, scheduling: 'lifo' });
    this.#agents.set(url.protocol, agent);
    return new RestExchange(module.request(url, { method, agent, signal }));
  }

  #noteTime({ headers }: http.IncomingMessage): void {
    const told = Date.parse(headers.date ?? '');
    if (!Number.isNaN(told)) this.#skewMs = told - Date.now();
  }

  #explain(error: unknown, ended: AbortSignal): string {
    const host = parseHost(this.#apiUrl);
    if (!ended.aborted) return `${host}: ${explainNetworkError(error)}`;
    return ended.reason === LATE ? `${host} did not answer in time` : `the call to ${host} was stopped`;
  }
}

/** Discord's own words, with the fields it complains about. */
function describeRefusal(status: number, body: Json | undefined): string {
  const words = readStringAt(body, 'message') ?? 'no reason given';
  const errors = isObject(body) && body['errors'] !== undefined ? ` ${JSON.stringify(body['errors'])}` : '';
  return `Discord answered ${status}: ${words}${errors}`;
}
