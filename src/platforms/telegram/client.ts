import type { FileHandle } from 'node:fs/promises';
import http from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readTextBody } from '../../base/text-body.ts';
import { parseHost } from '../../base/http.ts';
import { readForeignAnswer, TOO_LARGE } from '../../base/foreign-answer.ts';
import { explainNetworkError } from '../../base/network-words.ts';
import { isObject, parseJson, readNumberAt, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { frameMultipart, type MultipartFrame } from './multipart.ts';

/** What came of a call. */
export type ApiAnswer = { readonly type: 'ok'; readonly result: Json } | ApiFailure;
export type ApiFailure =
  | {
      readonly type: 'refused';
      readonly code: number;
      readonly why: string;
      readonly retryAfterMs?: number;
      readonly movedTo?: number;
    }
  /** Surely not carried out: no connection was made, or not all of the call went over it. */
  | { readonly type: 'unreached'; readonly why: string }
  /** The call went out, and no answer came. */
  | { readonly type: 'lost'; readonly why: string };

/** A file that goes along with a call, under the parameter of that name. */
export interface UploadedFile {
  readonly field: string;
  readonly handle: FileHandle;
  readonly bytes: number;
  readonly name: string;
  readonly mime: string;
}
export interface CallOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  readonly file?: UploadedFile;
}

/** How long an answer may take, and how long a connection may be silent while a file goes over it. */
const CALL_MS = 30_000;
const SILENCE_MS = 30_000;
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
/** An idle connection is closed before the server does it: a send that meets a dying one has an unknown end. */
const KEEP_ALIVE_MS = 10_000;

/** Calls of one bot. Each client has connections of its own; disposing it cuts them. */
export class TelegramClient implements Disposable {
  readonly #base: URL;
  readonly #fileBase: string;
  readonly #token: string;
  readonly #agent: http.Agent;
  readonly #request: typeof http.request;

  constructor({ token, baseUrl, fileUrl }: { readonly token: string; readonly baseUrl: string; readonly fileUrl: string }) {
    this.#token = token;
    this.#base = new URL(`${baseUrl}${token}/`);
    this.#fileBase = `${fileUrl}${token}/`;
    // TLS is loaded when it is needed.
    const { Agent, request } = this.#base.protocol === 'https:' ? process.getBuiltinModule('node:https') : http;
    this.#agent = new Agent({ keepAlive: true, timeout: KEEP_ALIVE_MS, scheduling: 'lifo' });
    this.#request = request;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  /** Never throws for what the network or Telegram does. */
  async call(method: string, params: JsonObject, { signal, timeoutMs = CALL_MS, file }: CallOptions): Promise<ApiAnswer> {
    const frame = file && frameMultipart(params, file);
    const headers =
      frame === undefined ? { 'content-type': 'application/json' } : { 'content-type': frame.type, 'content-length': frame.length };
    const exchange = new ApiExchange(this.#request(new URL(method, this.#base), { method: 'POST', agent: this.#agent, headers }));
    // A file takes as long as it takes: there, only silence counts.
    using ended = watchEnd(() => exchange.cut(), signal, file === undefined ? timeoutMs : undefined);
    try {
      const response = await (file && frame ? exchange.upload(frame, file.handle) : exchange.send(JSON.stringify(params)));
      return readAnswer(response.statusCode ?? 0, await readTextBody(response, MAX_ANSWER_BYTES));
    } catch (error) {
      exchange.cut();
      return { type: exchange.mayHaveArrived ? 'lost' : 'unreached', why: this.#explain(ended.why() ?? error) };
    }
  }

  /** Opens a file of Telegram's. Throws what the network throws, without the token in its words. */
  async openFile(path: string, signal: AbortSignal): Promise<{ readonly status: number; readonly body: Readable }> {
    const url = new URL(path.split('/').map(encodeURIComponent).join('/'), this.#fileBase);
    const exchange = new ApiExchange(this.#request(url, { method: 'GET', agent: this.#agent, signal }));
    try {
      const response = await exchange.send('');
      return { status: response.statusCode ?? 0, body: response };
    } catch (error) {
      exchange.cut();
      throw new Error(this.#explain(signal.aborted ? STOPPED : error), { cause: error });
    }
  }

  #explain(error: unknown): string {
    const words = explainNetworkError(error);
    return `${parseHost(this.#base.href)}: ${words.replaceAll(this.#token, '[token]')}`;
  }
}

const STOPPED = 'the call was stopped';

/** Ends a call with its signal or after some time. Lets go of both when the call is over, as `AbortSignal.any` would not. */
function watchEnd(cut: () => void, signal: AbortSignal, timeoutMs: number | undefined): Disposable & { why(): string | undefined } {
  let why: string | undefined;
  const end = (words: string): void => {
    why ??= words;
    cut();
  };
  const timer = timeoutMs === undefined ? undefined : setTimeout(end, timeoutMs, 'no answer came in time');
  const stop = (): void => end(STOPPED);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  return {
    why: () => why,
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    },
  };
}

/** One request; knows whether all of it can have reached anybody. */
class ApiExchange {
  #isConnected = false;
  #isWhole = false;
  readonly #request: http.ClientRequest;
  readonly #response: Promise<http.IncomingMessage>;

  constructor(request: http.ClientRequest) {
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    this.#request = request;
    this.#response = promise;
    request.once('response', resolve).on('error', reject);
    request.setTimeout(SILENCE_MS * 2, () => request.destroy(new Error('no answer')));
    request.once('socket', (socket) => {
      this.#isConnected = !socket.connecting;
      // A kept connection would keep every listener that waits for its beginning.
      if (socket.connecting) socket.once(request.protocol === 'https:' ? 'secureConnect' : 'connect', () => (this.#isConnected = true));
    });
  }

  get mayHaveArrived(): boolean {
    return this.#isConnected && this.#isWhole;
  }
  send(body: string): Promise<http.IncomingMessage> {
    this.#isWhole = true;
    this.#request.end(body);
    return this.#response;
  }
  upload({ head, tail }: MultipartFrame, file: FileHandle): Promise<http.IncomingMessage> {
    this.#request.setTimeout(SILENCE_MS, () => this.#request.destroy(new Error('no answer')));
    const all = (): void => void (this.#isWhole = true);
    const parts = async function* (): AsyncGenerator<unknown, void> {
      yield head;
      yield* file.createReadStream({ autoClose: false, start: 0 });
      all();
      yield tail;
    };
    // What breaks on the way in is told by the request; an answer that comes early counts.
    pipeline(Readable.from(parts()), this.#request).catch(() => undefined);
    return this.#response;
  }
  cut(): void {
    this.#request.destroy();
  }
}

function readAnswer(status: number, body: string): ApiAnswer {
  const answer = parseJson(body);
  if (isObject(answer) && answer['ok'] === true) return { type: 'ok', result: answer['result'] ?? null };
  const code = readNumberAt(answer, 'error_code');
  if (!isObject(answer) || answer['ok'] !== false || code === undefined) return readForeign(status);
  const seconds = readNumberAt(answer, 'parameters', 'retry_after');
  const movedTo = readNumberAt(answer, 'parameters', 'migrate_to_chat_id');
  return {
    type: 'refused',
    code,
    why: readStringAt(answer, 'description') ?? `Telegram answered ${code}`,
    ...(seconds !== undefined && { retryAfterMs: seconds * 1000 }),
    ...(movedTo !== undefined && { movedTo }),
  };
}

/** These hold whoever says them: too large, and too many calls. */
const HOLD_ANYWAY: ReadonlySet<number> = new Set([TOO_LARGE, 429]);

function readForeign(status: number): ApiFailure {
  const foreign = readForeignAnswer('Telegram', status);
  return HOLD_ANYWAY.has(status) ? { type: 'refused', code: status, why: foreign.why } : foreign;
}
