import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { createHttpListeners } from '../../../src/base/http-server/listeners.ts';
import type { HttpListeners } from '../../../src/base/http-server/contract.ts';
import type { AccountRecords, AdapterOptions, InboundAnswer, InboundRoute } from '../../../src/contracts/platform-adapter.ts';
import { listenThrough } from '../../../src/faces/gateway/inbound-routes.ts';

/** A secret as Standard Webhooks has them. */
export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Where requests arrive: the listeners of a gateway. */
export interface ListeningStage extends AsyncDisposable {
  readonly listen: NonNullable<AdapterOptions['listen']>;
  /** The address of a route; nothing while nobody listens. */
  url(route: string): string | undefined;
  /** Routes that are open. */
  open(): number;
  /** Closes what listens; the next `listen` opens another. */
  cut(): Promise<void>;
  /** From now on nothing is answered, or nothing can listen. */
  fail(how: 'silent' | 'unreachable' | undefined): void;
}

export function openListening(): ListeningStage {
  const create = (): HttpListeners =>
    createHttpListeners({ host: '127.0.0.1', port: 0, names: [], advice: '', log: () => {}, times: { drainMs: 20 } });
  let listeners = create();
  let [port, fault]: [number?, ('silent' | 'unreachable')?] = [];
  const open = new Set<InboundRoute>();
  let mended = Promise.withResolvers<void>();
  const hang = (): Promise<InboundAnswer> => mended.promise.then(() => ({ status: 503 }));
  const fail: ListeningStage['fail'] = (how) => {
    fault = how;
    mended.resolve();
    mended = Promise.withResolvers();
  };
  return {
    listen: async (route) => {
      if (fault === 'unreachable') throw new Error('Nothing can listen at 127.0.0.1.');
      const opened = await listenThrough(listeners)({
        ...route,
        answer: (request) => (fault === 'silent' ? hang() : route.answer(request)),
      });
      port = opened.port;
      if (route.path === '/webhooks') open.add(route);
      return {
        port: opened.port,
        [Symbol.asyncDispose]: async () => {
          open.delete(route);
          await opened[Symbol.asyncDispose]();
        },
      };
    },
    url: (route) => (port === undefined || open.size === 0 ? undefined : `http://127.0.0.1:${port}/webhooks/${route}`),
    open: () => open.size,
    cut: async () => {
      const before = listeners;
      listeners = create();
      port = undefined;
      await before[Symbol.asyncDispose]();
    },
    fail,
    [Symbol.asyncDispose]: async () => {
      fail(undefined);
      await listeners[Symbol.asyncDispose]();
    },
  };
}

/** A sender as services are: in order, and each again until it is taken. */
export interface Sender extends AsyncDisposable {
  send(id: string, body: object): void;
  /** What each was answered with in the end, by its id. */
  readonly answers: ReadonlyMap<string, number>;
}
export function startSender(url: () => string | undefined, secret: string): Sender {
  const waiting: { readonly id: string; readonly body: string }[] = [];
  const answers = new Map<string, number>();
  const stop = new AbortController();
  const attempt = async (id: string, body: string): Promise<boolean> => {
    const to = url();
    if (to === undefined) return false;
    const at = new Date();
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    };
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(1_000)]);
    const answer = await fetch(to, { method: 'POST', headers, body, signal }).catch(() => undefined);
    if (answer !== undefined) answers.set(id, answer.status);
    return answer !== undefined && answer.ok;
  };
  const running = (async () => {
    while (!stop.signal.aborted) {
      const [first] = waiting;
      if (first !== undefined && (await attempt(first.id, first.body))) waiting.shift();
      else await sleep(5);
    }
  })();
  return {
    answers,
    send: (id, body) => void waiting.push({ id, body: JSON.stringify(body) }),
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await running;
    },
  };
}

/** A receiver that takes what is signed by the secret, once for each id. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** What it took, in order. */
  readonly taken: readonly { readonly id: string; readonly data: ReceivedData }[];
  /** Every request that came, whatever it was answered with. */
  readonly requests: readonly {
    readonly headers: IncomingMessage['headers'];
    readonly body: string;
    readonly status: number | undefined;
  }[];
  /** How the next requests are answered, in order; then as usual. */
  next(...answers: readonly ReceiverAnswer[]): void;
  /** How every request is answered, until it is told otherwise. */
  always(answer: ReceiverAnswer | undefined): void;
}
export interface ReceivedData {
  readonly text: string;
  readonly reply_to?: string;
  readonly file?: { readonly name: string; readonly mime: string; readonly content_base64: string };
}
/** A status with headers, an answer that never comes although the event is taken, or a connection that is cut. */
export type ReceiverAnswer = { readonly status: number; readonly headers?: Readonly<Record<string, string>> } | 'withhold' | 'cut';

export async function startReceiver(secret: string): Promise<Receiver> {
  const taken = new Map<string, ReceivedData>();
  const requests: { headers: IncomingMessage['headers']; body: string; status: number | undefined }[] = [];
  const planned: ReceiverAnswer[] = [];
  let usual: ReceiverAnswer | undefined;
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = planned.shift() ?? usual;
    if (answer === 'cut') return void request.destroy();
    const body = (await buffer(request)).toString('utf8');
    const status = answer === 'withhold' ? undefined : (answer?.status ?? 204);
    requests.push({ headers: request.headers, body, status });
    if (typeof answer === 'object' && !(answer.status >= 200 && answer.status < 300))
      return void response.writeHead(answer.status, answer.headers).end();
    const event = new Webhook(secret).verify(
      body,
      Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    ) as { data: ReceivedData };
    const id = String(request.headers['webhook-id']);
    if (!taken.has(id)) taken.set(id, event.data);
    if (status !== undefined) response.writeHead(status).end();
  };
  const server = createServer((request, response) => void take(request, response).catch(() => response.writeHead(401).end()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    get taken() {
      return [...taken].map(([id, data]) => ({ id, data }));
    },
    requests,
    next: (...answers) => void planned.push(...answers),
    always: (answer) => void (usual = answer),
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** What a gateway keeps, in memory. */
export function createRecords(): AccountRecords & { readonly known: Set<string> } {
  const known = new Set<string>();
  const counts = new Map<string, number>();
  return {
    known,
    isKnown: async (key) => known.has(key),
    count: async (what) => {
      const count = (counts.get(what) ?? 0) + 1;
      counts.set(what, count);
      return count;
    },
  };
}
