import { once } from 'node:events';
import { createServer } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import type { InboundRoute } from '../../../src/contracts/platform-adapter.ts';

/** What the gateway offers an adapter: a listener for requests from outside. */
export async function openListener() {
  const routes = new Set<InboundRoute>();
  const tunnel = { isBroken: false };
  const server = createServer((request, response) => {
    if (tunnel.isBroken) return void response.writeHead(502).end();
    const route = [...routes].find(({ path }) => request.url?.startsWith(path));
    if (route === undefined) return void response.writeHead(404).end();
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const { method = '', url = '' } = request;
    void readText(request)
      .then((body) => route.answer({ method, path: url, headers, body: Buffer.from(body) }))
      .then(({ status }) => response.writeHead(status).end());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/hooks/telegram`,
    /** What stands before the listener, as proxies and tunnels do. */
    tunnel,
    listen: async (route: InboundRoute) => {
      routes.add(route);
      return { port, [Symbol.asyncDispose]: async () => void routes.delete(route) };
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
