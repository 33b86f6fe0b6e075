import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { linkIfThere, listIfThere, readIfThere } from '../../../base/peek.ts';
import { listProcesses, type LineageRow } from '../process/lineage.ts';
import type { LoopbackHost } from './listening.ts';

/** What commands ask through their launchers; the numbers are those of `launcher.c`. */
const ASKED = { hello: 0, connect: 1, bind: 2, signal: 4, path: 20, group: 21 } as const;
const WORDS = 12;
const [YES, EPERM, ESRCH, EACCES] = [0, 1, 3, 13];

/** What of this machine's loopback commands may have. */
export interface SupervisedPorts {
  mayConnect(port: number, host: LoopbackHost): boolean;
  mayBind(port: number): boolean;
}
/** Answers the launchers of one sandbox. When it is closed they end what they started. */
export interface Supervisor {
  /** Whether a process that a command started has this socket. */
  hasSocket(inode: string): boolean;
  /** What runs, as folders in `/proc`. */
  programs(): readonly string[];
  /** Ends all that runs. */
  endAll(): Promise<void>;
  close(): Promise<void>;
}

export async function openSupervisor(path: string, ports: SupervisedPorts): Promise<Supervisor> {
  /** By connection, the process that supervises one command and is the parent of all it leaves behind. */
  const launchers = new Map<Socket, number>();
  const inside = (): readonly LineageRow[] => listInside(launchers.values());
  const holds = (inode: string): boolean => inside().some(({ pid }) => hasSocket(pid, inode));
  const answer = (what: number, about: number, more: number, text: string): number => {
    if (what === ASKED.connect) return ports.mayConnect(about, more === 1 ? '::1' : '127.0.0.1') ? YES : EACCES;
    if (what === ASKED.bind) return ports.mayBind(about) ? YES : EACCES;
    if (what === ASKED.signal) return inside().some(({ pid }) => pid === about) ? YES : EACCES;
    if (what === ASKED.path) return findListeners(text).every(holds) ? YES : EACCES;
    return what === ASKED.group ? signalGroup(inside(), about, more) : EACCES;
  };
  const server = createServer((socket) => {
    launchers.set(socket, 0);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => launchers.delete(socket));
    let left = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      left = Buffer.concat([left, chunk]);
      while (left.length >= WORDS) {
        const [what, about, more] = [left.readUInt32LE(0), left.readUInt32LE(4), left.readUInt32LE(8)];
        const size = WORDS + (what === ASKED.path ? about : 0);
        if (left.length < size) return;
        const text = left.subarray(WORDS, size).toString();
        left = left.subarray(size);
        if (what === ASKED.hello) launchers.set(socket, about);
        else socket.write(Buffer.from(Int32Array.of(answer(what, about, more, text)).buffer));
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
    const timer = setTimeout(() => {
      for (const { pid } of listInside(launchers.values())) sendSignal(pid, 'SIGKILL');
      for (const socket of open) socket.destroy();
    }, CLOSE_MS);
    await Promise.all(gone);
    clearTimeout(timer);
  };
  return {
    hasSocket: holds,
    programs: () => inside().map(({ pid }) => `/proc/${pid}`),
    endAll,
    close: async () => {
      server.close();
      await endAll();
    },
  };
}
const CLOSE_MS = 2_000;

/** What was started below these processes, and lives. */
function listInside(launchers: Iterable<number>): readonly LineageRow[] {
  const children = Map.groupBy(listProcesses(), ({ parent }) => parent);
  const open = [...launchers];
  const found: LineageRow[] = [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const own = next > 0 ? (children.get(next) ?? []) : [];
    found.push(...own);
    open.push(...own.map(({ pid }) => pid));
  }
  return found;
}

/** To each of the group that is a command's: its launcher is of the same group, and stays. */
function signalGroup(inside: readonly LineageRow[], group: number, signal: number): number {
  const members = inside.filter((each) => each.group === group);
  for (const { pid } of members) sendSignal(pid, signal);
  return members.length > 0 ? YES : sendSignal(-group, 0) ? EPERM : ESRCH;
}
function sendSignal(pid: number, signal: NodeJS.Signals | number): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** The sockets that listen under a path, as the kernel lists them. */
const findListeners = (path: string): readonly string[] =>
  readIfThere('/proc/self/net/unix')
    .split('\n')
    .flatMap((line) => {
      const [, flags = '', socket = ''] = /^\S+ \S+ \S+ (\S+) \S+ \S+ +(\d+) /.exec(line) ?? [];
      return flags === LISTENS && line.endsWith(` ${path}`) ? [socket] : [];
    });
const LISTENS = '00010000';

function hasSocket(pid: number, inode: string): boolean {
  const folder = `/proc/${pid}/fd`;
  return listIfThere(folder).some(({ name }) => linkIfThere(join(folder, name)) === `socket:[${inode}]`);
}
