import { createServer, type Server, type Socket } from 'node:net';
import type { ReachableServer } from '../../../contracts/wall.ts';
import { isDevPort, type SandboxLoopback } from '../loopback/loopback.ts';
import type { ListeningPort } from '../loopback/listening.ts';
import { joinSockets } from '../loopback/join-sockets.ts';

export interface DevServersOptions {
  readonly loopback: Pick<SandboxLoopback, 'isShared' | 'listening' | 'connect' | 'isOurs'>;
  notice(words: string): void;
}
/** What background processes listen on, reachable on the loopback of this machine and nowhere else. */
export interface DevServers {
  /** A background process runs: what listens inside is looked at until the returned function is called. */
  watch(): () => void;
  list(): readonly ReachableServer[];
  close(): void;
}

const LOOK_MS = 500;
const MAX_SERVERS = 16;
export function openDevServers({ loopback, notice }: DevServersOptions): DevServers {
  const open = new Map<number, OpenServer>();
  let watchers = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const now = loopback.listening().filter(({ port }) => isDevPort(port) && !loopback.isOurs(port));
    for (const [port, server] of open) {
      if (now.some((each) => each.port === port)) continue;
      open.delete(port);
      server.close();
    }
    for (const each of now) {
      if (open.has(each.port) || open.size >= MAX_SERVERS) continue;
      const server = loopback.isShared ? isHereAlready(each) : publish(each, loopback.connect);
      open.set(each.port, server);
      void server.ready.then((here) => {
        if (here === undefined) open.delete(each.port);
        else notice(describeServer(each.port, here));
      });
    }
  };
  const closeAll = () => {
    clearInterval(timer);
    timer = undefined;
    for (const server of open.values()) server.close();
    open.clear();
  };
  return {
    watch: () => {
      watchers += 1;
      timer ??= setInterval(look, LOOK_MS).unref();
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        watchers -= 1;
        if (watchers === 0) closeAll();
      };
    },
    list: () => [...open].flatMap(([inside, { here }]) => (here() === 0 ? [] : [{ inside, here: here() }])),
    close: closeAll,
  };
}

const describeServer = (inside: number, here: number): string =>
  here === inside
    ? `The server in the sandbox is reachable at http://localhost:${here}.`
    : `The server in the sandbox is reachable at http://localhost:${here}: port ${inside} is taken on this machine.`;

interface OpenServer {
  /** The port out here once it listens, `undefined` when none could be had. */
  readonly ready: Promise<number | undefined>;
  here(): number;
  close(): void;
}

const isHereAlready = ({ port }: ListeningPort): OpenServer => ({ ready: Promise.resolve(port), here: () => port, close: () => {} });

/** The same number out here where it is free, else any. */
function publish({ port, host }: ListeningPort, connect: SandboxLoopback['connect']): OpenServer {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (outer) => {
    sockets.add(outer);
    outer.once('close', () => sockets.delete(outer));
    outer.on('error', () => outer.destroy());
    connect(host, port).then(
      (inner) => joinSockets(outer, inner),
      () => outer.destroy(),
    );
  }).unref();
  let here = 0;
  const ready = listenOn(server, port)
    .catch(() => listenOn(server, 0))
    .then((got) => (here = got))
    .catch(() => undefined);
  return {
    ready,
    here: () => here,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function listenOn(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('error', reject);
  server.listen(port, '127.0.0.1', () => {
    server.off('error', reject);
    const at = server.address();
    resolve(typeof at === 'object' && at !== null ? at.port : 0);
  });
  return promise;
}
