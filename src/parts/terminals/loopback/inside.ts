import { connect as connectHere, type Server, type Socket } from 'node:net';
import type { SandboxLoopback } from './loopback.ts';
import { readListeners, toPorts } from './listening.ts';
import { openNamespaceAgent, type NamespaceAgent } from './namespace.ts';
import { listenQuickly } from './quick-listen.ts';
import { joinSockets } from './join-sockets.ts';
import { watchRefusals, type RefusalWatch } from './refusals.ts';

/** How long the program that connects inside is kept for the next connection. */
const KEPT_MS = 30_000;

/** The loopback of a sandbox with a network namespace of its own, whichever process holds it. */
export function openInside(nsenter: string): SandboxLoopback {
  const served = new Map<number, (socket: Socket) => void>();
  const servers = new Set<Server>();
  let holder = 0;
  let closed = false;
  let tellRefused: ((port: number) => void) | undefined;
  let refusals: RefusalWatch | undefined;
  let kept: { readonly agent: Promise<NamespaceAgent>; timer: NodeJS.Timeout } | undefined;
  const take = (server: Server, serve: (socket: Socket) => void) => {
    if (closed) return void server.close();
    servers.add(server);
    Object.assign(server, { allowHalfOpen: true, pauseOnConnect: true });
    server.unref();
    server.on('connection', serve);
    server.on('error', () => {});
  };
  const dropAgent = () => {
    clearTimeout(kept?.timer);
    void kept?.agent.then((agent) => agent.close()).catch(() => {});
    kept = undefined;
  };
  const withAgent = async <Value>(use: (agent: NamespaceAgent) => Promise<Value>): Promise<Value> => {
    const agent = await openNamespaceAgent({ holder, nsenter });
    try {
      return await use(agent);
    } finally {
      agent.close();
    }
  };
  const dropServers = () => {
    for (const server of servers) server.close();
    servers.clear();
  };
  return {
    isShared: false,
    serve: (port, answer) => void served.set(port, answer),
    listening: () => (holder === 0 ? [] : toPorts(readListeners(holder))),
    attach: async (pid) => {
      if (pid === holder) return;
      holder = pid;
      dropServers();
      dropAgent();
      refusals?.close();
      const [quick, watch] = await Promise.all([
        listenQuickly({ holder, nsenter }, [...served.keys()]),
        tellRefused === undefined ? undefined : watchRefusals(holder, tellRefused),
      ]);
      refusals = watch;
      if (closed) watch?.close();
      if (quick === undefined)
        await withAgent((agent) => Promise.all([...served].map(async ([port, serve]) => take(await agent.listen(port), serve))));
      else for (const [port, server] of quick) take(server, served.get(port) ?? drop);
    },
    isOurs: (port) => served.has(port),
    onRefused: (tell) => void (tellRefused = tell),
    settle: async () => refusals?.settle(),
    openPort: async (port) => {
      if (served.has(port)) return;
      const serve = (socket: Socket) => leadToThisMachine(socket, port);
      if (holder !== 0) await withAgent(async (agent) => take(await agent.listen(port), serve));
      served.set(port, serve);
    },
    connect: async (host, port) => {
      kept ??= { agent: openNamespaceAgent({ holder, nsenter }), timer: setTimeout(dropAgent, KEPT_MS).unref() };
      kept.timer.refresh();
      try {
        return await (await kept.agent).connect(host, port);
      } catch (error) {
        // The program may be gone; the next connection starts another.
        dropAgent();
        throw error;
      }
    },
    close: () => {
      closed = true;
      dropServers();
      dropAgent();
      refusals?.close();
    },
  };
}

const drop = (socket: Socket): void => void socket.destroy();

function leadToThisMachine(inside: Socket, port: number): void {
  const here = connectHere({ host: 'localhost', port, allowHalfOpen: true });
  inside.on('error', () => here.destroy());
  here.on('error', () => inside.destroy());
  here.once('connect', () => joinSockets(inside, here));
}
