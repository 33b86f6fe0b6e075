import { existsSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { basename, join } from 'node:path';
import { joinSockets } from './tunnel.ts';

/** Where commands see the sockets that were let through. */
const INSIDE = '/run/hermes/sockets';
const DOCKER = 'docker.sock';

/** Sockets of this machine that were let through by name, each by one of ours in a folder commands see. */
export interface GrantedSockets {
  /** Where programs look for what may be let through later. */
  readonly variables: Readonly<Record<string, string>>;
  open(path: string): Promise<void>;
  close(): void;
}

export function openGrantedSockets(folder: string, env: Readonly<Record<string, string | undefined>>): GrantedSockets {
  const servers = new Map<string, Server>();
  const docker = dockerSocketOf(env);
  const connections = new Set<Socket>();
  return {
    variables: docker === undefined ? {} : { DOCKER_HOST: `unix://${INSIDE}/${DOCKER}` },
    open: async (path) => {
      if (servers.has(path)) return;
      const own = join(folder, path === docker ? DOCKER : basename(path));
      const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (inside) => {
        connections.add(inside);
        inside.once('close', () => connections.delete(inside));
        const here = connect({ path, allowHalfOpen: true });
        inside.on('error', () => here.destroy());
        here.on('error', () => inside.destroy());
        here.once('connect', () => joinSockets(inside, here));
      });
      servers.set(path, server);
      rmSync(own, { force: true });
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      server.once('error', reject);
      server.listen(own, resolve);
      await promise;
      server.unref();
    },
    close: () => {
      for (const server of servers.values()) server.close();
      for (const socket of connections) socket.destroy();
    },
  };
}

/** Docker's or podman's socket of the owner, where there is one. */
function dockerSocketOf(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const named = /^unix:\/\/(.+)$/.exec(env['DOCKER_HOST'] ?? '')?.[1];
  return [named, '/var/run/docker.sock', '/run/docker.sock'].find((path) => path !== undefined && existsSync(path));
}
