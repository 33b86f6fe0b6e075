import { readdirSync, readlinkSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { listProcesses } from '../process/lineage.ts';

/** What commands ask through their launchers; the numbers are those of `launcher.c`. */
const ASKED = { hello: 0, connect: 1, bind: 2, signal: 4 } as const;
const WORDS = 8;
const [YES, EACCES] = [0, 13];

/** What of this machine's loopback commands may have. */
export interface SupervisedPorts {
  mayConnect(port: number): boolean;
  mayBind(port: number): boolean;
}
/** Answers the launchers of one sandbox. When it is closed they end what they started. */
export interface Supervisor {
  /** Whether something of a command runs. */
  isBusy(): boolean;
  /** Whether a process that a command started has this socket. */
  hasSocket(inode: string): boolean;
  /** Ends all that runs. */
  endAll(): Promise<void>;
  close(): Promise<void>;
}

export async function openSupervisor(path: string, ports: SupervisedPorts): Promise<Supervisor> {
  /** By connection, the process that supervises one command and is the parent of all it leaves behind. */
  const launchers = new Map<Socket, number>();
  const answer = (what: number, about: number): number => {
    if (what === ASKED.connect) return ports.mayConnect(about) ? YES : EACCES;
    if (what === ASKED.bind) return ports.mayBind(about) ? YES : EACCES;
    return what === ASKED.signal && listInside(launchers.values()).includes(about) ? YES : EACCES;
  };
  const server = createServer((socket) => {
    launchers.set(socket, 0);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => launchers.delete(socket));
    let left = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      left = Buffer.concat([left, chunk]);
      for (; left.length >= WORDS; left = left.subarray(WORDS)) {
        const [what, about] = [left.readUInt32LE(0), left.readUInt32LE(4)];
        if (what === ASKED.hello) launchers.set(socket, about);
        else socket.write(Buffer.from(Int32Array.of(answer(what, about)).buffer));
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
    hasSocket: (inode) => listInside(launchers.values()).some((pid) => hasSocket(pid, inode)),
    endAll,
    close: async () => {
      server.close();
      await endAll();
    },
  };
}
const CLOSE_MS = 2_000;

/** What was started below these processes, and lives. */
function listInside(launchers: Iterable<number>): readonly number[] {
  const children = Map.groupBy(listProcesses(), ({ parent }) => parent);
  const found = [...launchers].filter((pid) => pid > 0);
  const own = found.length;
  for (let at = 0; at < found.length; at++) found.push(...(children.get(found[at] ?? 0) ?? []).map(({ pid }) => pid));
  return found.slice(own);
}

function hasSocket(pid: number, inode: string): boolean {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some((name) => linkAt(join(folder, name)) === `socket:[${inode}]`);
  } catch {
    return false;
  }
}
function linkAt(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
