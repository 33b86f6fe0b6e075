import { spawn, type ChildProcess } from 'node:child_process';
import { Server, Socket } from 'node:net';

/** The network of a sandbox, seen from out here: nothing of ours stays inside. */
export interface SandboxNamespace {
  /** The process whose namespaces are the sandbox. */
  readonly holder: number;
  readonly nsenter: string;
}

const START_MS = 15_000;

/**
 * The source of a small program that enters the network of a sandbox, listens or connects there, and hands the open handle
 * out to us: who has it accepts and speaks as if inside, while the program itself is gone or idle.
 */
const CHILD = `
const net = require('node:net');
process.on('message', ({ id, listen, connect }) => {
  const answer = (message, handle) => process.send({ id, ...message }, handle, () => handle?.close?.());
  if (listen !== undefined) {
    const server = net.createServer({ pauseOnConnect: true });
    server.once('error', (error) => answer({ trouble: error.code }));
    server.listen(listen, '127.0.0.1', 256, () => answer({}, server));
    return;
  }
  const socket = new net.Socket({ allowHalfOpen: true });
  socket.pause();
  socket.once('error', (error) => answer({ trouble: error.code }));
  socket.connect({ host: connect.host, port: connect.port }, () => process.send({ id }, socket));
});
process.on('disconnect', () => process.exit());
process.send({ ready: true });
`;

/** A program of ours inside the network of a sandbox, for as long as it is needed. */
export interface NamespaceAgent {
  listen(port: number): Promise<Server>;
  connect(host: string, port: number): Promise<Socket>;
  close(): void;
}

export async function openNamespaceAgent({ holder, nsenter }: SandboxNamespace): Promise<NamespaceAgent> {
  const enter = ['--target', String(holder), '--user', '--net', '--preserve-credentials', '--'];
  const child = spawn(nsenter, [...enter, process.execPath, '-e', CHILD], {
    env: {},
    cwd: '/',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.unref();
  const answers = openAnswers(child);
  const timer = setTimeout(() => child.kill('SIGKILL'), START_MS);
  try {
    await answers.ready;
  } finally {
    clearTimeout(timer);
  }
  return {
    listen: async (port) => {
      const handle = await answers.ask({ listen: port });
      if (!(handle instanceof Server)) throw new Error(`no listener came for port ${port}`);
      return handle;
    },
    connect: async (host, port) => {
      const handle = await answers.ask({ connect: { host, port } });
      if (!(handle instanceof Socket)) throw new Error(`no connection came for port ${port}`);
      return handle;
    },
    close: () => {
      if (child.connected) child.disconnect();
    },
  };
}

interface HandleMessage {
  readonly id?: number;
  readonly ready?: true;
  readonly trouble?: string;
}

/** Questions to the program and its answers, by number. All of them fail when it is gone. */
function openAnswers(child: ChildProcess) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const ready = Promise.withResolvers<void>();
  let last = 0;
  let gone = false;
  const fail = () => {
    gone = true;
    const error = new Error('the network of the sandbox could not be entered');
    ready.reject(error);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  child.on('error', fail);
  child.once('exit', fail);
  child.on('message', (message: HandleMessage, handle: unknown) => {
    if (message.ready === true) return ready.resolve();
    const asked = waiting.get(message.id ?? 0);
    waiting.delete(message.id ?? 0);
    if (waiting.size === 0) child.channel?.unref();
    if (message.trouble === undefined) asked?.resolve(handle);
    else asked?.reject(new Error(message.trouble));
  });
  child.channel?.unref();
  return {
    ready: ready.promise,
    ask: (what: object): Promise<unknown> => {
      const answer = Promise.withResolvers<unknown>();
      if (gone) answer.reject(new Error('the network of the sandbox could not be entered'));
      else {
        waiting.set(++last, answer);
        // Whoever waits for an answer is kept alive by it, and by nothing else.
        child.channel?.ref();
        child.send({ id: last, ...what }, (error) => {
          if (error !== null) answer.reject(error);
        });
      }
      return answer.promise;
    },
  };
}
