import { createServer, type Server, type Socket } from 'node:net';
import type { ReachableServer } from '../../../contracts/wall.ts';
import { readListeningPorts, type ListeningPort } from './listening.ts';
import { joinSockets } from './tunnel.ts';

export interface DevServersOptions {
  /** The process that holds the sandbox. */
  holder(): number;
  connect(host: string, port: number): Promise<Socket>;
  isOurs(port: number): boolean;
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
/**
 * Ports on which programs of this machine look for a service by its number alone: whoever finds one there talks to it, and may
 * tell it secrets. None of them is opened, so that a command cannot stand in for a service that is not running now.
 */
const RELIED_ON: readonly (readonly [what: string, ports: string])[] = [
  ['databases', '1433 1434 1521 3050 3306 33060 5432 5433 5984 6432 7474 7687 8086 8123 8529 9042 9160 9440 26257 27017 27018 27019 28015'],
  ['caches, queues, brokers', '1883 4222 4369 5671 5672 6379 6380 8883 9092 9093 9094 11211 15672 16379 26379 29092 61613 61616'],
  ['search, metrics, traces', '4317 4318 5601 8125 8126 9091 9200 9300 9411 14250 14268 24224'],
  ['containers, clusters, secrets', '2049 2181 2375 2376 2379 2380 4646 6443 8200 8201 8300 8301 8500 8600 10250 10255 16443'],
  ['desktops, other machines, debuggers', '2222 3389 5037 5900 5901 5938 5985 5986 6000 6001 6002 6003 9222 9229 9418 10000 22000'],
  ['proxies', '1080 3128 8118 9050 9051 9150 9151'],
  ['models and agents', '8642 8645 11434 18789'],
];
const NEVER: ReadonlySet<number> = new Set(RELIED_ON.flatMap(([, ports]) => ports.split(' ').map(Number)));
const isDevPort = (port: number): boolean => port >= 1024 && !NEVER.has(port);

export function openDevServers({ holder, connect, isOurs, notice }: DevServersOptions): DevServers {
  const open = new Map<number, OpenServer>();
  let watchers = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const now = holder() === 0 ? [] : readListeningPorts(holder()).filter(({ port }) => isDevPort(port) && !isOurs(port));
    for (const [port, server] of open) {
      if (now.some((each) => each.port === port)) continue;
      open.delete(port);
      server.close();
    }
    for (const each of now) {
      if (open.has(each.port) || open.size >= MAX_SERVERS) continue;
      const server = publish(each, connect);
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

/** The same number out here where it is free, else any. */
function publish({ port, host }: ListeningPort, connect: DevServersOptions['connect']): OpenServer {
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
