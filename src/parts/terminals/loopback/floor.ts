import { readFileSync } from 'node:fs';
import { connect as connectHere, createServer, type Server, type Socket } from 'node:net';
import { readListeningPorts, type ListeningPort } from './listening.ts';
import { isDevPort, type SandboxLoopback } from './loopback.ts';
import type { SupervisedPorts } from './supervisor.ts';

/** The loopback of this machine, of which commands see our ports, those they listen on themselves, and what was let through. */
export interface FloorLoopback extends SandboxLoopback, SupervisedPorts {
  /** Our ports as commands name them, and where they are. */
  ports(): Promise<ReadonlyMap<number, number>>;
}

export function openFloorLoopback(): FloorLoopback {
  const served = new Map<number, Promise<Server>>();
  const granted = new Set<number>();
  const bound = new Map<number, ListeningPort>();
  /** Who stopped listening may be followed by a program of the owner's on the same port. */
  const listening = (): readonly ListeningPort[] => {
    if (bound.size === 0) return [];
    const now = new Set(readListeningPorts('self').map(({ port }) => port));
    for (const port of bound.keys()) if (!now.has(port)) bound.delete(port);
    return [...bound.values()];
  };
  const isOurs = (port: number): boolean => served.has(port);
  return {
    isShared: true,
    serve: (port, answer) => void served.set(port, listenFor(answer)),
    ports: async () => new Map(await Promise.all([...served].map(async ([port, server]) => [port, portOf(await server)] as const))),
    isOurs,
    openPort: async (port) => void granted.add(port),
    connect: (host, port) =>
      listening().some((each) => each.port === port) ? open(host, port) : Promise.reject(new Error('ECONNREFUSED')),
    listening,
    attach: async () => {},
    mayConnect: (port) => granted.has(port) || listening().some((each) => each.port === port),
    mayBind: (port) => port === 0 || (isDevPort(port) && !isOurs(port)),
    onListen: (port, host) => void bound.set(port, { port, host }),
    close: () => {
      for (const server of served.values()) server.then((each) => each.close()).catch(() => {});
    },
  };
}

const portOf = (server: Server): number => {
  const at = server.address();
  return typeof at === 'object' && at !== null ? at.port : 0;
};

async function listenFor(answer: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) =>
    isOwn(socket) ? answer(socket) : socket.destroy(),
  );
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', 256, resolve);
  await promise;
  server.on('error', () => {});
  return server.unref();
}

/** Anybody on the machine can knock at a port of the loopback: only our own user is heard. */
function isOwn({ remotePort = 0, localPort = 0 }: Socket): boolean {
  const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');
  try {
    const row = ['tcp', 'tcp6']
      .flatMap((name) => readFileSync(`/proc/self/net/${name}`, 'latin1').split('\n'))
      .map((line) => line.trim().split(/\s+/))
      .find(([, local = '', remote = '']) => local.endsWith(`:${hex(remotePort)}`) && remote.endsWith(`:${hex(localPort)}`));
    return row?.[7] === String(process.getuid?.() ?? 0);
  } catch {
    return false;
  }
}

function open(host: string, port: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connectHere({ host, port, allowHalfOpen: true });
  socket.pause();
  socket.once('error', reject);
  socket.once('connect', () => resolve(socket));
  return promise;
}
