import { once } from 'node:events';
import type { Server } from 'node:http';

/** A server on loopback, as all our fakes are. Port 0 takes any that is free; gives the one it has. */
export async function listenLocally(server: Server, port = 0): Promise<number> {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return portOf(server);
}

/** `http://127.0.0.1:PORT` */
export const originOf = (server: Server): string => `http://127.0.0.1:${portOf(server)}`;

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`The server has no port: ${address}`);
  return address.port;
}

/** Ends every connection, whatever is under way. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
