import { parentPort, workerData } from 'node:worker_threads';
import type {
  AdapterOptions,
  ConnectionEnd,
  EventBatch,
  InboundRoute,
  PlatformAdapter,
  PlatformConnection,
  PlatformKind,
} from '../../../../contracts/platform-adapter.ts';
import type { SendingCalls } from '../contract.ts';
import type { EventStream, ForwardedCalls, HostCalls, HostOffer, WorkerCalls, WorkerStart } from './calls.ts';
import { openPortCalls, type CallHandlers, type PortCalls } from './port-calls.ts';

/**
 * Runs one adapter in this thread, for the thread that started it. What the adapter throws where nobody catches it ends this
 * thread, and nothing else.
 */
export async function serveAdapter(
  load: (start: Pick<WorkerStart, 'platform' | 'plugin'>, log: AdapterOptions['log']) => Promise<PlatformKind>,
): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('An adapter is served by a worker thread.');
  const start: WorkerStart = workerData;
  const opened = Promise.withResolvers<PlatformAdapter>();
  const routes = new Map<number, InboundRoute>();
  const host = openPortCalls<HostCalls, WorkerCalls>(port, {
    ...forwardCalls(opened.promise),
    ...serveConnections(opened.promise, (id, end) => void host.call('ended', { id, end }).catch(ignore)),
    answer: async ({ route, request }) => (await routes.get(route)?.answer(request)) ?? { status: 404 },
    dispose: async () => await (await opened.promise)[Symbol.asyncDispose](),
  });
  const log = (words: string): void => void host.call('log', words).catch(ignore);
  const kind = await load(start, log);
  const adapter = await kind.open({
    settings: start.settings,
    log,
    ...(start.folder !== undefined && { folder: start.folder }),
    ...pick(start.offers, {
      listen: listenThrough(host, routes),
      records: { isKnown: (key) => host.call('isKnown', key), count: (what, windowMs) => host.call('count', { what, windowMs }) },
      post: (request, signal) => host.call('post', request, signal),
    }),
  });
  opened.resolve(adapter);
  await host.call(
    'ready',
    OPTIONAL.filter((name) => adapter[name] !== undefined),
  );
}

const pick = (names: readonly HostOffer[], all: Required<Pick<AdapterOptions, HostOffer>>): Pick<AdapterOptions, HostOffer> =>
  Object.fromEntries(names.map((name) => [name, all[name]]));

/** Nothing can be done here about a mistake over there. */
const ignore = () => undefined;

const OPTIONAL: readonly (keyof SendingCalls)[] = [
  'edit',
  'remove',
  'findSent',
  'showTyping',
  'react',
  'answerPress',
  'listChats',
  'publishCommands',
];

function forwardCalls(opened: Promise<PlatformAdapter>): CallHandlers<ForwardedCalls> {
  /** Called only when the adapter has it. */
  const missing = () => Promise.reject(new Error('The adapter has no such call.'));
  return {
    send: async (args, signal) => (await opened).send(...args, signal),
    edit: async (args, signal) => (await opened).edit?.(...args, signal) ?? missing(),
    remove: async (args, signal) => (await opened).remove?.(...args, signal) ?? missing(),
    findSent: async (args, signal) => (await opened).findSent?.(...args, signal) ?? missing(),
    showTyping: async (args, signal) => (await opened).showTyping?.(...args, signal),
    react: async (args, signal) => (await opened).react?.(...args, signal),
    answerPress: async (args, signal) => (await opened).answerPress?.(...args, signal),
    download: async (args, signal) => (await opened).download(...args, signal),
    listChats: async (args, signal) => (await opened).listChats?.(...args, signal) ?? missing(),
    publishCommands: async (args, signal) => (await opened).publishCommands?.(...args, signal),
  };
}

type ConnectionCalls = Pick<WorkerCalls, 'connect' | 'abortConnection' | 'next' | 'closeConnection' | 'ping'>;

interface ServedConnection {
  readonly abort: AbortController;
  heardAgoMs(): number;
  next(stream: EventStream): Promise<EventBatch | undefined>;
  close(): Promise<void>;
}

function serveConnection(connection: PlatformConnection, abort: AbortController): ServedConnection {
  const streams: Partial<Record<EventStream, AsyncIterator<EventBatch>>> = {};
  return {
    abort,
    heardAgoMs: () => performance.now() - connection.progress(),
    next: async (stream) => {
      const { value, done } = await (streams[stream] ??= connection[stream]()[Symbol.asyncIterator]()).next();
      return done === true ? undefined : value;
    },
    close: async () => await connection[Symbol.asyncDispose](),
  };
}

function serveConnections(
  opened: Promise<PlatformAdapter>,
  onEnd: (id: number, end: ConnectionEnd) => void,
): CallHandlers<ConnectionCalls> {
  const connections = new Map<number, ServedConnection>();
  return {
    connect: async ({ id, ...options }, signal) => {
      const abort = new AbortController();
      signal.addEventListener('abort', () => abort.abort(), { once: true });
      const result = await (await opened).connect({ ...options, signal: abort.signal });
      if (result.type === 'failed') return result;
      const served = serveConnection(result.connection, abort);
      connections.set(id, served);
      void result.connection.ended.then((end) => onEnd(id, end));
      return { type: 'connected', identity: result.connection.account, heardAgoMs: served.heardAgoMs() };
    },
    abortConnection: async (id) => connections.get(id)?.abort.abort(),
    next: async ({ id, stream }) => {
      const connection = connections.get(id);
      if (connection === undefined) return { heardAgoMs: Infinity };
      const batch = await connection.next(stream);
      return { heardAgoMs: connection.heardAgoMs(), ...(batch && { batch }) };
    },
    closeConnection: async (id) => {
      await connections.get(id)?.close();
      connections.delete(id);
    },
    ping: async (id) => {
      const connection = id === undefined ? undefined : connections.get(id);
      return connection === undefined ? {} : { heardAgoMs: connection.heardAgoMs() };
    },
  };
}

function listenThrough(host: PortCalls<HostCalls>, routes: Map<number, InboundRoute>): NonNullable<AdapterOptions['listen']> {
  let count = 0;
  return async (route) => {
    const number = ++count;
    routes.set(number, route);
    const { answer: _answered, ...about } = route;
    const { port } = await host.call('listen', { route: number, ...about });
    return {
      port,
      [Symbol.asyncDispose]: async () => {
        routes.delete(number);
        await host.call('unlisten', number);
      },
    };
  };
}
