import { connect as connectHere, createServer, type Server, type Socket } from 'node:net';
import { readIfThere } from '../../../base/peek.ts';
import { readListeners, toPorts, type ListeningPort, type ListeningSocket } from './listening.ts';
import { isDevPort, type SandboxLoopback } from './loopback.ts';
import type { SupervisedPorts, Supervisor } from './supervisor.ts';

/** The loopback of this machine, of which commands see our ports, those they listen on themselves, and what was let through. */
export interface FloorLoopback extends SandboxLoopback, SupervisedPorts {
  /** Our ports as commands name them, and where they are. */
  ports(): Promise<ReadonlyMap<number, number>>;
  /** What tells whether a socket is one of the commands'. */
  heed(supervisor: Pick<Supervisor, 'hasSocket'>): void;
}

export function openFloorLoopback(): FloorLoopback {
  const served = new Map<number, Promise<Server>>();
  const granted = new Set<number>();
  let hasSocket = (_inode: string): boolean => false;
  let tellRefused = (_port: number): void => {};
  /** Sockets of commands that were found to listen; a number is used again only after a long time. */
  const known = new Set<string>();
  const isInside = ({ inode }: ListeningSocket): boolean => {
    if (!known.has(inode) && hasSocket(inode)) known.add(inode);
    return known.has(inode);
  };
  const listening = (): readonly ListeningPort[] => toPorts(readListeners('self').filter(isInside));
  /** All that may answer there are the commands' own. */
  const isOwn = (port: number, host: string): boolean => {
    const there = readListeners('self').filter((each) => each.port === port && each.hosts.some((at) => at === host));
    return there.length > 0 && there.every(isInside);
  };
  const isOurs = (port: number): boolean => served.has(port);
  return {
    isShared: true,
    serve: (port, answer) => void served.set(port, listenFor(answer)),
    ports: async () => new Map(await Promise.all([...served].map(async ([port, server]) => [port, portOf(await server)] as const))),
    heed: (supervisor) => void (hasSocket = supervisor.hasSocket),
    isOurs,
    openPort: async (port) => void granted.add(port),
    connect: (host, port) =>
      (host === 'localhost' ? (['127.0.0.1', '::1'] as const) : [host]).some((at) => isOwn(port, at))
        ? open(host, port)
        : Promise.reject(new Error('ECONNREFUSED')),
    listening,
    attach: async () => {},
    onRefused: (tell) => void (tellRefused = tell),
    settle: async () => {},
    mayConnect: (port, host) => {
      const may = granted.has(port) || isOwn(port, host);
      if (!may) tellRefused(port);
      return may;
    },
    // A port that somebody else listens on could be shared, and then have their visitors.
    mayBind: (port) =>
      port === 0 || (isDevPort(port) && !isOurs(port) && readListeners('self').every((each) => each.port !== port || isInside(each))),
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
    isSameUser(socket) ? answer(socket) : socket.destroy(),
  );
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', 256, resolve);
  await promise;
  server.on('error', () => {});
  return server.unref();
}

/** Anybody on the machine can knock at a port of the loopback: only our own user is heard. */
function isSameUser({ remotePort = 0, localPort = 0 }: Socket): boolean {
  const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');
  const row = ['tcp', 'tcp6']
    .flatMap((name) => readIfThere(`/proc/self/net/${name}`).split('\n'))
    .map((line) => line.trim().split(/\s+/))
    .find(([, local = '', remote = '']) => local.endsWith(`:${hex(remotePort)}`) && remote.endsWith(`:${hex(localPort)}`));
  return row?.[7] === String(process.getuid?.() ?? 0);
}

function open(host: string, port: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connectHere({ host, port, allowHalfOpen: true });
  socket.pause();
  socket.once('error', reject);
  socket.once('connect', () => resolve(socket));
  return promise;
}
