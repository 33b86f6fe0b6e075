import { readFileSync } from 'node:fs';

/** A port on which somebody listens, and where. */
export interface ListeningPort {
  readonly port: number;
  /** How it is reached from its own machine. */
  readonly host: '127.0.0.1' | '::1';
  /** The socket that listens there. */
  readonly socket: string;
}

const LISTEN = '0A';
const EVERYWHERE_4 = '00000000';
const LOOPBACK_4 = '0100007F';
const EVERYWHERE_6 = '0'.repeat(32);
const LOOPBACK_6 = '00000000000000000000000001000000';
/** 127.0.0.1 as a socket for both versions writes it. */
const MAPPED = '0000000000000000FFFF00000100007F';

/** What listens on the loopback or everywhere, out of the kernel's own tables of one network (`/proc/PID/net/tcp` and `tcp6`). */
export function parseListeningPorts(tcp: string, tcp6: string): readonly ListeningPort[] {
  const found = new Map<number, ListeningPort>();
  const note = (table: string, addresses: readonly string[], host: ListeningPort['host']) => {
    for (const line of table.split('\n')) {
      const [, address = '', hex = '', state, socket = ''] =
        /^\s*\d+:\s+([0-9A-F]+):([0-9A-F]{4})\s+\S+\s+([0-9A-F]{2})(?:\s+\S+){5}\s+(\d+)/.exec(line) ?? [];
      const port = Number.parseInt(hex, 16);
      if (state === LISTEN && addresses.includes(address) && !found.has(port)) found.set(port, { port, host, socket });
    }
  };
  note(tcp, [EVERYWHERE_4, LOOPBACK_4], '127.0.0.1');
  note(tcp6, [MAPPED], '127.0.0.1');
  note(tcp6, [EVERYWHERE_6, LOOPBACK_6], '::1');
  return [...found.values()];
}

/** The same for a process as it is now; nothing where there are no such tables. */
export function readListeningPorts(pid: number | 'self'): readonly ListeningPort[] {
  const table = (name: string): string => {
    try {
      return readFileSync(`/proc/${pid}/net/${name}`, 'latin1');
    } catch {
      return '';
    }
  };
  return parseListeningPorts(table('tcp'), table('tcp6'));
}
