import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A way through the proxy to an address that was judged here: the proxy is never given a name to look up for itself. */
export async function openTunnel(proxy: URL, address: string, port: number, signal: AbortSignal): Promise<Socket> {
  const target = `${address.includes(':') ? `[${address}]` : address}:${port}`;
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const request = (proxy.protocol === 'https:' ? process.getBuiltinModule('node:https').request : httpRequest)({
    hostname: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: proxy.port === '' ? undefined : Number(proxy.port),
    method: 'CONNECT',
    path: target,
    headers: { host: target, ...credentialsOf(proxy) },
    agent: false,
    signal,
  });
  request.once('connect', (answer: IncomingMessage, socket: Socket, head: Buffer) => {
    if (answer.statusCode === 200) {
      if (head.length > 0) socket.unshift(head);
      return resolve(socket);
    }
    socket.destroy();
    reject(new Error(`the proxy ${proxy.host} answered ${answer.statusCode ?? 'nothing'} for ${target}`));
  });
  request.once('error', reject);
  request.end();
  return promise;
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** The first of several addresses that takes a connection; what the last one said when none does. */
export async function firstThatOpens(addresses: readonly string[], open: (address: string) => Promise<Socket>): Promise<Socket> {
  let trouble: unknown = new Error('there is no address to connect to');
  for (const address of addresses) {
    try {
      return await open(address);
    } catch (error) {
      trouble = error;
    }
  }
  throw trouble;
}
