import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { collectDefaults } from '../../../../src/contracts/settings.ts';
import type { FetchRequest, FetchResult } from '../../../../src/contracts/reach.ts';
import { openReach, type ReachOptions } from '../../../../src/parts/safety/urls/reach.ts';
import { urlSettings } from '../../../../src/parts/safety/urls/settings.ts';

export const settings = collectDefaults(urlSettings);
export const never = new AbortController().signal;

export const reachWith = (more: Partial<ReachOptions> = {}) => openReach({ settings, home: '/nowhere', ...more });

/** A site on this machine; requests are kept. */
export async function site(answer: RequestListener, host = '127.0.0.1', port = 0) {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    answer(request, response);
  });
  return { ...(await listening(server, host, port)), seen };
}

export async function listening(server: Server, host = '127.0.0.1', port = 0) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  await promise;
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port };
}

export const fetchIt = (reach: ReturnType<typeof openReach>, url: string, more: Partial<FetchRequest> = {}): Promise<FetchResult> =>
  reach.fetch({ url, signal: never, timeoutMs: 10_000, maxBytes: 1_000_000, ...more });

/** The body as text, or why there is none. */
export const told = (fetched: FetchResult): string => (fetched.ok ? `${fetched.status} ${fetched.body.toString()}` : fetched.reason);
