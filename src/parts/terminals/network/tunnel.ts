import type { Socket } from 'node:net';
import { joinSockets } from '../loopback/join-sockets.ts';
import { readHelloName } from './client-hello.ts';

/** How long the first words of an encrypted connection may take. */
const HELLO_MS = 60_000;
const HTTPS = 443;

/** The same for a host that somebody agreed to: where encryption shows a name, it must be that of the host. */
export async function joinTunnel(inside: Socket, outside: Socket, head: Buffer, target: TunnelTarget): Promise<void> {
  for (const socket of [inside, outside]) socket.on('error', () => socket.destroy());
  const first = target.literal || target.port !== HTTPS ? head : await readHello(inside, head, target.host);
  if (first === undefined || outside.destroyed) {
    inside.destroy();
    outside.destroy();
    return;
  }
  if (first.length > 0) outside.write(first);
  joinSockets(inside, outside);
}
export interface TunnelTarget {
  readonly host: string;
  readonly port: number;
  /** The host is an address: no name is expected inside. */
  readonly literal: boolean;
}

/** What was sent first, when it is the hello of a client that wants this host; `undefined` when it is anything else. */
function readHello(inside: Socket, head: Buffer, host: string): Promise<Buffer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
  let seen = head;
  const settle = (words: Buffer | undefined) => {
    clearTimeout(timer);
    inside.pause();
    inside.off('data', hear);
    inside.off('close', gone);
    inside.off('end', gone);
    resolve(words);
  };
  const look = () => {
    const found = readHelloName(seen);
    if (found.type !== 'partial') settle(found.type === 'tls' && found.name === host ? seen : undefined);
  };
  const hear = (chunk: Buffer) => {
    seen = Buffer.concat([seen, chunk]);
    look();
  };
  const gone = () => settle(undefined);
  const timer = setTimeout(gone, HELLO_MS);
  inside.on('data', hear);
  inside.once('close', gone);
  inside.once('end', gone);
  inside.resume();
  look();
  return promise;
}
