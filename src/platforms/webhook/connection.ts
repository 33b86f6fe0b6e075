import { get } from 'node:http';
import { systemClock } from '../../base/clock.ts';
import { Handover } from '../../base/handover.ts';
import { waitAtMost } from '../../base/waits.ts';
import type {
  AdapterOptions,
  ConnectionEnd,
  Cursor,
  EventBatch,
  InboundAnswer,
  InboundMessage,
  InboundRequest,
  PlatformConnection,
} from '../../contracts/platform-adapter.ts';
import { WEBHOOK_PATH } from './receive.ts';
import type { WebhookAccountSettings } from './settings.ts';

export interface WebhookConnectionOptions {
  readonly settings: WebhookAccountSettings;
  readonly listen: NonNullable<AdapterOptions['listen']>;
  readonly answer: (request: InboundRequest, hand: (message: InboundMessage, cursor: Cursor) => Promise<boolean>) => Promise<InboundAnswer>;
  readonly signal: AbortSignal;
}

const PROBE_TIMEOUT_MS = 10_000;
const MAX_CLOSE_MS = 4_000;

/** Requests that come in while it is open. What was not committed is answered so that its sender repeats it: there is nothing to catch up. */
export class WebhookConnection implements PlatformConnection {
  readonly account;
  readonly ended: Promise<ConnectionEnd>;
  readonly #handover = new Handover<EventBatch>();
  readonly #stop = new AbortController();
  readonly #routes = new AsyncDisposableStack();
  #last: Promise<unknown> = Promise.resolve();
  #heardAt = 0;

  private constructor(port: number, { settings, signal }: WebhookConnectionOptions) {
    this.account = { id: 'webhook', name: `${settings.host}:${port}` };
    this.ended = this.#keep({ ...settings, port }, signal);
  }

  /** Throws when nothing can listen there. */
  static async open(options: WebhookConnectionOptions): Promise<WebhookConnection> {
    const { settings, listen, answer } = options;
    const { host, port, maxBytes, publicUrl } = settings;
    const place = { host, port, maxBytes, ...(publicUrl !== undefined && { names: [publicUrl.hostname] }) };
    let connection: WebhookConnection | undefined;
    const hand = (message: InboundMessage, cursor: Cursor): Promise<boolean> => connection?.hand(message, cursor) ?? Promise.resolve(false);
    const hooks = await listen({
      ...place,
      path: WEBHOOK_PATH,
      answer: (request) => {
        connection?.received();
        return answer(request, hand);
      },
    });
    connection = new WebhookConnection(hooks.port, options);
    connection.#routes.use(hooks);
    // Beside the API, which has one of its own, the same question is answered there.
    const health = await listen({ ...place, port: hooks.port, path: '/health', answer: async () => HEALTHY }).catch(() => undefined);
    connection.#routes.use(health);
    return connection;
  }

  async *catchUp(): AsyncGenerator<EventBatch, void> {}
  events(): AsyncGenerator<EventBatch, void> {
    return this.#handover.take();
  }
  progress(): number {
    return this.#heardAt;
  }
  received(): void {
    this.#heardAt = performance.now();
  }

  /** One at a time: whether it was committed. */
  hand(message: InboundMessage, cursor: Cursor): Promise<boolean> {
    const handed = this.#last.then(() => !this.#stop.signal.aborted && this.#handover.give([message, { type: 'cursor', cursor }]));
    this.#last = handed.catch(() => undefined);
    return handed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await waitAtMost(this.ended, MAX_CLOSE_MS);
  }

  /** Calls itself now and then: as long as that is answered, others would be. */
  async #keep({ host, port, probeMs }: WebhookAccountSettings, outer: AbortSignal): Promise<ConnectionEnd> {
    const signal = AbortSignal.any([this.#stop.signal, outer]);
    try {
      while (!signal.aborted) {
        const heard = await callOwn(host, port, signal);
        if (heard === 'broken' && !signal.aborted) return { kind: 'broken', why: `nothing listens at ${host}:${port} any more` };
        if (heard === 'answered') this.received();
        await systemClock.sleep(probeMs, signal);
      }
      return { kind: 'closed', why: 'closed' };
    } finally {
      this.#stop.abort();
      this.#handover.close();
      await this.#routes.disposeAsync();
    }
  }
}

const HEALTHY: InboundAnswer = {
  status: 200,
  body: JSON.stringify({ status: 'ok', platform: 'webhook' }),
  headers: { 'content-type': 'application/json' },
};

/** What comes of a request to our own port, whatever it is answered with. */
const callOwn = (host: string, port: number, signal: AbortSignal): Promise<'answered' | 'silent' | 'broken'> =>
  new Promise((done) => {
    const near = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
    const options = { host: near, port, path: WEBHOOK_PATH, agent: false, signal, timeout: PROBE_TIMEOUT_MS };
    const request = get(options, (response) => {
      response.resume();
      done('answered');
    });
    request.once('timeout', () => {
      done('silent');
      request.destroy();
    });
    request.once('error', () => done('broken'));
  });
