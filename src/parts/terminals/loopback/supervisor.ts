import { readFileSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';

/** What commands ask through their launchers; the numbers are those of `launcher.c`. */
const ASKED = { hello: 0, connect: 1, bind: 2, listen: 3, kill: 4 } as const;
const WORDS = 16;
const [YES, EACCES] = [0, 13];

export interface SupervisedPorts {
  /** Whether commands may connect to a port of this machine's loopback, or take it. */
  mayConnect(port: number): boolean;
  mayBind(port: number): boolean;
  onListen(port: number, host: '127.0.0.1' | '::1'): void;
}
/** Answers the launchers of one sandbox. When it is closed they end what they started. */
export interface Supervisor {
  /** Whether something of a command runs. */
  isBusy(): boolean;
  /** Ends all that runs. */
  endAll(): Promise<void>;
  close(): Promise<void>;
}

export async function openSupervisor(path: string, ports: SupervisedPorts): Promise<Supervisor> {
  const launchers = new Map<Socket, number>();
  const answer = (what: number, one: number, two: number): number => {
    if (what === ASKED.connect) return ports.mayConnect(one) ? YES : EACCES;
    if (what === ASKED.bind) return ports.mayBind(one) ? YES : EACCES;
    if (what === ASKED.kill) return isBelow(one, new Set(launchers.values())) ? YES : EACCES;
    if (what !== ASKED.listen) return EACCES;
    ports.onListen(one, two === 1 ? '::1' : '127.0.0.1');
    return YES;
  };
  const server = createServer((socket) => {
    launchers.set(socket, 0);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => launchers.delete(socket));
    let left = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      left = Buffer.concat([left, chunk]);
      for (; left.length >= WORDS; left = left.subarray(WORDS)) {
        const [what, one, two] = [left.readUInt32LE(0), left.readUInt32LE(4), left.readUInt32LE(8)];
        if (what === ASKED.hello) launchers.set(socket, one);
        else socket.write(Buffer.from(Int32Array.of(answer(what, one, two)).buffer));
      }
    });
    socket.unref();
  });
  rmSync(path, { force: true });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(path, resolve);
  await promise;
  server.unref();
  /** A launcher that loses us ends everything below it and goes last. */
  const endAll = async (): Promise<void> => {
    const open = [...launchers.keys()];
    const gone = open.map((socket) => new Promise<void>((ended) => void socket.ref().once('close', () => ended())));
    for (const socket of open) socket.end();
    const timer = setTimeout(() => open.forEach((socket) => socket.destroy()), CLOSE_MS);
    await Promise.all(gone);
    clearTimeout(timer);
  };
  return {
    isBusy: () => launchers.size > 0,
    endAll,
    close: async () => {
      server.close();
      await endAll();
    },
  };
}
const CLOSE_MS = 2_000;
/** More parents than any process within a command has. */
const DEEPEST = 200;

/** Whether a process was started by one of the launchers: those stay parents of all that their command starts. */
function isBelow(pid: number, launchers: ReadonlySet<number>): boolean {
  for (let [at, depth] = [parentOf(pid), 0]; at > 1 && depth < DEEPEST; at = parentOf(at), depth++) if (launchers.has(at)) return true;
  return false;
}
function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) || 0;
  } catch {
    return 0;
  }
}
