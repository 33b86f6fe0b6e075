import { readIfThere } from '../../../base/peek.ts';

export type LoopbackHost = '127.0.0.1' | '::1';
/** A port on which somebody listens, and where. */
export interface ListeningPort {
  readonly port: number;
  /** How it is reached from its own machine. */
  readonly host: LoopbackHost;
}
/** A socket that listens. */
export interface ListeningSocket {
  readonly port: number;
  /** The addresses of this machine at which it may answer. */
  readonly hosts: readonly LoopbackHost[];
  readonly inode: string;
}

const LISTEN = '0A';
/** Addresses as the kernel writes them. A socket for every address of version 6 may answer for version 4 as well. */
const ADDRESSES: Readonly<Record<string, readonly LoopbackHost[]>> = {
  '00000000': ['127.0.0.1'],
  '0100007F': ['127.0.0.1'],
  '0000000000000000FFFF00000100007F': ['127.0.0.1'],
  '00000000000000000000000001000000': ['::1'],
  ['0'.repeat(32)]: ['::1', '127.0.0.1'],
};

/** What listens on the loopback or everywhere, out of the kernel's own tables of one network (`/proc/PID/net/tcp` and `tcp6`). */
export const parseListeners = (tcp: string, tcp6: string): readonly ListeningSocket[] =>
  `${tcp}\n${tcp6}`.split('\n').flatMap((line) => {
    const [, address = '', hex = '', state, inode = ''] =
      /^\s*\d+:\s+([0-9A-F]+):([0-9A-F]{4})\s+\S+\s+([0-9A-F]{2})(?:\s+\S+){5}\s+(\d+)/.exec(line) ?? [];
    const hosts = ADDRESSES[address];
    return state === LISTEN && hosts !== undefined ? [{ port: Number.parseInt(hex, 16), hosts, inode }] : [];
  });

/** Each port once. */
export function toPorts(sockets: readonly ListeningSocket[]): readonly ListeningPort[] {
  const found = new Map<number, ListeningPort>();
  for (const { port, hosts } of sockets) for (const host of hosts.slice(0, 1)) if (!found.has(port)) found.set(port, { port, host });
  return [...found.values()];
}

/** What listens where a process is, as it is now; nothing where there are no such tables. */
export const readListeners = (pid: number | 'self'): readonly ListeningSocket[] =>
  parseListeners(readIfThere(`/proc/${pid}/net/tcp`), readIfThere(`/proc/${pid}/net/tcp6`));
