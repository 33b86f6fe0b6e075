import type {
  ConnectionEnd,
  ConnectOptions,
  ConnectResult,
  EventBatch,
  PlatformAdapter,
  PlatformConnection,
} from '../../../../contracts/platform-adapter.ts';
import type { SendingCalls } from '../contract.ts';
import type { ConnectReply, EventStream, WorkerCalls } from './calls.ts';
import type { PortCalls } from './port-calls.ts';

/** An adapter that runs in a worker, as this thread sees it. */
export interface RemoteAdapter {
  /** The adapter, with those of the calls that it offers. */
  adapter(offered: readonly (keyof SendingCalls)[]): PlatformAdapter;
  /** A connection ended there. */
  end(id: number, end: ConnectionEnd): void;
  /** The worker is gone, and all connections with it. */
  endAll(why: string): void;
  /** Asks whether it is there, and what its connection heard. */
  ping(): Promise<void>;
  /** Something was received by the latest connection, as far as is known here. */
  hasHeard(): boolean;
}

interface RemoteConnection {
  readonly ended: PromiseWithResolvers<ConnectionEnd>;
  readonly openedAt: number;
  /** By this thread's clock. */
  heardAt: number;
}

export function createRemoteAdapter(worker: () => PortCalls<WorkerCalls>): RemoteAdapter {
  const connections = new Map<number, RemoteConnection>();
  let count = 0;
  const end = (id: number, how: ConnectionEnd): void => {
    connections.get(id)?.ended.resolve(how);
    connections.delete(id);
  };
  const connect = async ({ signal, ...options }: ConnectOptions): Promise<ConnectResult> => {
    const id = ++count;
    const remote: RemoteConnection = { ended: Promise.withResolvers(), openedAt: performance.now(), heardAt: -Infinity };
    connections.set(id, remote);
    const abort = () => void worker().call('abortConnection', id).catch(ignore);
    try {
      const reply = await worker().call('connect', { id, ...options }, signal);
      if (reply.type === 'failed') {
        connections.delete(id);
        return reply;
      }
      hear(remote, reply.heardAgoMs);
      signal.addEventListener('abort', abort, { once: true });
      void remote.ended.promise.then(() => signal.removeEventListener('abort', abort));
      return { type: 'connected', connection: toConnection(id, remote, reply, worker()) };
    } catch (error) {
      connections.delete(id);
      throw error;
    }
  };
  return {
    adapter: (offered) => {
      const calls = forward(worker());
      const optional: Partial<SendingCalls> = Object.fromEntries(offered.map((name) => [name, calls[name]]));
      const dispose = () => worker().call('dispose', undefined);
      return { ...optional, connect, send: calls.send, download: calls.download, [Symbol.asyncDispose]: dispose };
    },
    end,
    endAll: (why) => {
      for (const id of connections.keys()) end(id, { kind: 'broken', why });
    },
    hasHeard: () => {
      const latest = [...connections.values()].at(-1);
      return latest !== undefined && latest.heardAt >= latest.openedAt;
    },
    ping: async () => {
      const [id, remote] = [...connections].at(-1) ?? [];
      const { heardAgoMs } = await worker().call('ping', id);
      if (remote !== undefined && heardAgoMs !== undefined) hear(remote, heardAgoMs);
    },
  };
}
const ignore = () => undefined;

function hear(remote: RemoteConnection, agoMs: number): void {
  remote.heardAt = Math.max(remote.heardAt, performance.now() - agoMs);
}

function toConnection(
  id: number,
  remote: RemoteConnection,
  { identity }: Extract<ConnectReply, { type: 'connected' }>,
  worker: PortCalls<WorkerCalls>,
): PlatformConnection {
  async function* take(stream: EventStream): AsyncGenerator<EventBatch, void> {
    for (;;) {
      const { batch, heardAgoMs } = await worker.call('next', { id, stream });
      hear(remote, heardAgoMs);
      if (batch === undefined) return;
      yield batch;
    }
  }
  return {
    account: identity,
    catchUp: () => take('catchUp'),
    events: () => take('events'),
    progress: () => remote.heardAt,
    ended: remote.ended.promise,
    [Symbol.asyncDispose]: () => worker.call('closeConnection', id),
  };
}

const forward = (worker: PortCalls<WorkerCalls>): SendingCalls => ({
  send: (message, signal) => worker.call('send', [message], signal),
  edit: (message, signal) => worker.call('edit', [message], signal),
  remove: (at, signal) => worker.call('remove', [at], signal),
  findSent: (message, since, signal) => worker.call('findSent', [message, since], signal),
  showTyping: async (place, signal) => worker.call('showTyping', [place], signal),
  react: async (at, reaction, signal) => worker.call('react', [at, reaction], signal),
  answerPress: async (handle, words, signal) => worker.call('answerPress', [handle, words], signal),
  download: (media, to, signal) => worker.call('download', [media, to], signal),
  listChats: (signal) => worker.call('listChats', [], signal),
  publishCommands: async (commands, signal) => worker.call('publishCommands', [commands], signal),
});
