import { existsSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { basename, join } from 'node:path';
import { realPath } from '../../../base/real-path.ts';
import { joinSockets } from '../loopback/join-sockets.ts';

const DOCKER = 'docker.sock';

/** Sockets of this machine that were let through by name, each by one of ours in a folder commands see. */
export interface GrantedSockets {
  /** Where programs look for what may be let through later. */
  readonly variables: Readonly<Record<string, string>>;
  /** The socket of this machine that stands, or would stand, at a path inside. */
  at(inside: string): string | undefined;
  open(path: string): Promise<void>;
  close(): void;
}

/** `inside` is where commands find the folder. */
export function openGrantedSockets(folder: string, inside: string, env: Readonly<Record<string, string | undefined>>): GrantedSockets {
  const docker = dockerSocketOf(env);
  /** By the names inside. Docker's is kept for the one that its variable leads to. */
  const names = new Map<string, string>(docker === undefined ? [] : [[DOCKER, docker]]);
  const opened = new Map<string, Promise<Server>>();
  const connections = new Set<Socket>();
  const nameFor = (path: string): string => {
    const [known] = [...names].find(([, each]) => isSameSocket(each, path)) ?? [];
    if (known !== undefined) return known;
    let name = basename(path);
    for (let count = 2; names.has(name); count++) name = `${count}-${basename(path)}`;
    names.set(name, path);
    return name;
  };
  return {
    variables: docker === undefined ? {} : { DOCKER_HOST: `unix://${inside}/${DOCKER}` },
    at: (path) => (path.startsWith(`${inside}/`) ? names.get(path.slice(inside.length + 1)) : undefined),
    open: async (path) => {
      const name = nameFor(path);
      const opening = opened.get(name) ?? listenFor(names.get(name) ?? path, join(folder, name), connections);
      opened.set(name, opening);
      // What failed once may be tried again.
      await opening.catch((error: unknown) => {
        opened.delete(name);
        throw error;
      });
    },
    close: () => {
      for (const server of opened.values()) server.then((each) => each.close()).catch(() => {});
      for (const socket of connections) socket.destroy();
    },
  };
}
const isSameSocket = (one: string, other: string): boolean => one === other || (realPath(one) ?? one) === (realPath(other) ?? other);

/** A socket of ours at `own` that leads to the one at `path`. */
async function listenFor(path: string, own: string, connections: Set<Socket>): Promise<Server> {
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (inside) => {
    connections.add(inside);
    inside.once('close', () => connections.delete(inside));
    const here = connect({ path, allowHalfOpen: true });
    inside.on('error', () => here.destroy());
    here.on('error', () => inside.destroy());
    here.once('connect', () => joinSockets(inside, here));
  });
  rmSync(own, { force: true });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(own, resolve);
  await promise;
  server.unref();
  return server;
}

/** Docker's or podman's socket of the owner, where there is one. Whoever names another way to it means none of these. */
function dockerSocketOf({ DOCKER_HOST }: Readonly<Record<string, string | undefined>>): string | undefined {
  if (DOCKER_HOST !== undefined && DOCKER_HOST !== '') return /^unix:\/\/(.+)$/.exec(DOCKER_HOST)?.[1];
  return ['/var/run/docker.sock', '/run/docker.sock'].find(existsSync);
}
