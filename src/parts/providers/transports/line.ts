import type http from 'node:http';
import type { TransportCall } from '../../../contracts/provider.ts';
import type { NetworkWay } from './agents.ts';
import { asTransportError, TransportError, type TransportStage } from './transport-error.ts';

/** After the last frame the server has this long to end the response; then its socket is not worth keeping. */
const DRAIN_MS = 250;
/** A kept socket that was dead already shows it within a round trip; a server that breaks off later had begun to work. */
const STALE_MS = 1000;

/** One request and its clocks. The first fault is the one that is told. */
export class HttpExchange {
  fault: TransportError | undefined;
  stage: TransportStage = 'connect';
  readonly #call: TransportCall;
  readonly #request: http.ClientRequest;
  readonly #host: string;
  #timer: NodeJS.Timeout | undefined;
  #firstByte: NodeJS.Timeout | undefined;
  #total: NodeJS.Timeout | undefined;
  #response: http.IncomingMessage | undefined;
  #sentAt = 0;
  #heardNothing = (): boolean => true;

  constructor(call: TransportCall, { agent, request, name }: NetworkWay) {
    this.#call = call;
    this.#host = name;
    const url = new URL(call.url);
    const headers = {
      'content-type': 'application/json',
      accept: call.stream ? 'text/event-stream, application/json' : 'application/json',
      ...call.headers,
    };
    const options = { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(call.body) } };
    this.#request = request(url, { ...options, agent });
    // Errors after the response are told by the response; without a listener they would end the process.
    this.#request.on('error', (error) => (this.fault ??= asTransportError(error, this.stage, this.#host)));
  }

  /**
   * The request met a kept socket that its server had closed meanwhile: reset at once, on a used socket, without one byte of a response.
   * Sending it anew is no retry in the agent's sense (which would wait first): a server that closed an idle socket has not read what
   * came after. Should it have read it all the same, a model call changes nothing at its host, and the agent itself would send it again.
   */
  get stale(): boolean {
    const { cause } = this.fault ?? {};
    const reset = cause instanceof Error && 'code' in cause && (cause.code === 'ECONNRESET' || cause.code === 'EPIPE');
    const unheard = this.#response === undefined && this.#heardNothing();
    return reset && unheard && this.#request.reusedSocket && Date.now() - this.#sentAt < STALE_MS;
  }

  /** Sends and waits for the head of the response. */
  answer(): Promise<http.IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    const { signal, deadlines, body } = this.#call;
    this.#request.once('error', reject);
    this.#request.once('response', (response) => {
      this.#response = response;
      resolve(response);
    });
    this.#watch('connect', deadlines.connect);
    if (deadlines.total !== undefined) this.#total = this.#clock('idle', deadlines.total, 'no end of the answer');
    this.#request.once('socket', (socket) => {
      const before = socket.bytesRead;
      this.#sentAt = Date.now();
      this.#heardNothing = () => socket.bytesRead === before;
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
    clearTimeout(this.#total);
    this.#call.signal.removeEventListener('abort', this.#abort);
    const response = this.#response;
    if (this.fault !== undefined || response === undefined) this.#request.destroy();
    // Also one that came whole and was not read: its socket would stay with it and keep the process alive.
    else if (!response.readableEnded) drain(response);
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
  #clock(stage: TransportStage, ms: number, silence = SILENCE[stage]): NodeJS.Timeout {
    return setTimeout(() => this.#fail(new TransportError('timeout', stage, `${this.#host}: ${silence} for ${ms / 1000} s`)), ms);
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
  first_byte: 'no answer',
  idle: 'no more data',
};

/** Reads a response that has said its last word to its end, so that the socket can serve the next call. */
function drain(response: http.IncomingMessage): void {
  const timer = setTimeout(() => response.destroy(), DRAIN_MS);
  timer.unref();
  response.once('close', () => clearTimeout(timer)).on('error', () => undefined);
  response.resume();
}
