import { WebSocket } from 'ws';
import { isObject, parseJson, readNumberAt, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { explainNetworkError } from '../../base/network-words.ts';
import { waitAtMost } from '../../base/waits.ts';
import { meaningOfClose, type CloseMeaning } from './close-codes.ts';

const OPS = { dispatch: 0, heartbeat: 1, identify: 2, resume: 6, reconnect: 7, invalidSession: 9, hello: 10, heartbeatAck: 11 } as const;
/** Guilds, messages in guilds and in private, and what they say. */
const INTENTS = (1 << 0) | (1 << 9) | (1 << 12) | (1 << 15);
/** From the first byte to the login. */
const LOGIN_MS = 20_000;
/** How long a peer may take to answer our good-bye. */
const CLOSE_MS = 1_000;
/** How long an answer to a heartbeat that is missing is still waited for. */
const DOUBT_MS = 2_000;
/** Leaves the session as it is, so that it can be taken up again. */
const CLOSE_CODE = 4200;
const MAX_FRAME_BYTES = 64 * 1024 * 1024;

export interface SocketOptions {
  readonly url: string;
  readonly token: string;
  readonly resume?: { readonly session: string; readonly seq: number };
  /** Every event with its number, in order. */
  readonly onDispatch: (type: string, data: Json, seq: number) => void;
}

/** One socket to the gateway: login, heartbeats, events, and an end that says what may come next. */
export class DiscordSocket implements AsyncDisposable {
  /** What the login brought (`READY`, or an empty object after going on), or nothing when the socket ended first. */
  readonly ready: Promise<Json | undefined>;
  readonly ended: Promise<CloseMeaning>;
  readonly #options: SocketOptions;
  readonly #raw: WebSocket;
  readonly #closed: Promise<void>;
  readonly #setReady: (data: Json | undefined) => void;
  readonly #setEnded: (end: CloseMeaning) => void;
  #loginTimer: NodeJS.Timeout;
  #beatTimer: NodeJS.Timeout | undefined;
  #isAnswered = true;
  #isDoubted = false;
  #seq: number | null;
  #receivedAt = performance.now();
  #beats = 0;
  #trouble = '';

  constructor(options: SocketOptions) {
    this.#options = options;
    this.#seq = options.resume?.seq ?? null;
    ({ promise: this.ready, resolve: this.#setReady } = Promise.withResolvers<Json | undefined>());
    ({ promise: this.ended, resolve: this.#setEnded } = Promise.withResolvers<CloseMeaning>());
    const closed = Promise.withResolvers<void>();
    this.#closed = closed.promise;
    this.#raw = new WebSocket(options.url, { perMessageDeflate: false, maxPayload: MAX_FRAME_BYTES, handshakeTimeout: LOGIN_MS });
    this.#loginTimer = setTimeout(() => this.#giveUp('Discord did not answer the login in time'), LOGIN_MS);
    this.#raw.on('error', (error) => (this.#trouble = explainNetworkError(error)));
    this.#raw.on('message', (data) => this.#hear(Buffer.isBuffer(data) ? data.toString('utf8') : ''));
    this.#raw.on('close', (code, reason) => {
      this.#end(meaningOfClose(code, this.#trouble === '' ? reason.toString('utf8') : this.#trouble));
      closed.resolve();
    });
  }

  /** When something was last received. */
  get receivedAt(): number {
    return this.#receivedAt;
  }
  /** Heartbeats that were answered. */
  get beats(): number {
    return this.#beats;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end({ why: 'The connection was closed', kind: 'closed', resumes: true });
    this.#raw.close(CLOSE_CODE);
    if (await waitAtMost(this.#closed, CLOSE_MS)) return;
    this.#raw.terminate();
    await waitAtMost(this.#closed, CLOSE_MS);
  }

  /** Gives the connection up; the next one may go on from here. */
  fail(why: string): void {
    this.#giveUp(why);
  }

  #end(end: CloseMeaning): void {
    clearTimeout(this.#loginTimer);
    clearTimeout(this.#beatTimer);
    this.#setReady(undefined);
    this.#setEnded(end);
  }

  #giveUp(why: string, meaning: Partial<CloseMeaning> = {}): void {
    this.#end({ why, kind: 'broken', resumes: true, ...meaning });
    this.#raw.terminate();
  }

  #hear(text: string): void {
    const frame = parseJson(text);
    if (!isObject(frame)) return this.#giveUp('Discord sent something that cannot be read');
    this.#receivedAt = performance.now();
    const data = frame['d'] ?? null;
    switch (frame['op']) {
      case OPS.hello:
        return this.#login(readNumberAt(data, 'heartbeat_interval') ?? 41_250);
      case OPS.heartbeatAck:
        this.#isAnswered = true;
        this.#beats += 1;
        return;
      case OPS.heartbeat:
        return this.#send({ op: OPS.heartbeat, d: this.#seq });
      case OPS.reconnect:
        return this.#giveUp('Discord asked to connect again');
      case OPS.invalidSession:
        // Discord wants a fresh login one to five seconds later.
        return this.#giveUp('Discord does not know the session any more', {
          resumes: data === true,
          retryAfterMs: 1_000 + Math.random() * 4_000,
        });
      case OPS.dispatch:
        return this.#dispatch(readStringAt(frame, 't') ?? '', data, readNumberAt(frame, 's') ?? 0);
      default:
        return;
    }
  }

  #dispatch(type: string, data: Json, seq: number): void {
    this.#seq = seq;
    if (type === 'READY' || type === 'RESUMED') {
      clearTimeout(this.#loginTimer);
      this.#setReady(data);
    }
    this.#options.onDispatch(type, data, seq);
  }

  #login(intervalMs: number): void {
    const { token, resume } = this.#options;
    const properties = { os: process.platform, browser: 'hermes', device: 'hermes' };
    if (resume === undefined) this.#send({ op: OPS.identify, d: { token, intents: INTENTS, properties } });
    else this.#send({ op: OPS.resume, d: { token, session_id: resume.session, seq: resume.seq } });
    this.#beatTimer = setTimeout(() => this.#beat(intervalMs), intervalMs * Math.random());
  }

  /** A heartbeat that found no answer by the time of the next one tells of a dead connection. */
  #beat(intervalMs: number): void {
    if (!this.#isAnswered && this.#isDoubted) return this.#giveUp('Discord no longer answers heartbeats');
    // A busy process may have the answer and not have read it yet.
    this.#isDoubted = !this.#isAnswered;
    if (this.#isDoubted) {
      this.#beatTimer = setTimeout(() => this.#beat(intervalMs), Math.min(intervalMs, DOUBT_MS));
      return;
    }
    this.#isAnswered = false;
    this.#send({ op: OPS.heartbeat, d: this.#seq });
    this.#beatTimer = setTimeout(() => this.#beat(intervalMs), intervalMs);
  }

  #send(payload: JsonObject): void {
    if (this.#raw.readyState === WebSocket.OPEN) this.#raw.send(JSON.stringify(payload));
  }
}
