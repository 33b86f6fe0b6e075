import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { readErrorCode, toErrorMessage, UsageError } from '../../../base/errors.ts';
import { isSameSecret } from '../../../base/same-secret.ts';
import type { ConnectClient } from './server.ts';

export interface ServeHttpOptions {
  readonly port: number;
  readonly token: string;
  readonly connect: ConnectClient;
}
export interface HttpService extends AsyncDisposable {
  readonly url: string;
}

/** Only programs of this computer can reach it. */
const ADDRESS = '127.0.0.1';
const PATH = '/mcp';
/** Clients that went away without a word give way to new ones. */
const MAX_CLIENTS = 64;

/** Serves the streamable HTTP of the protocol on loopback, to whoever has the token. */
export async function serveHttp({ port, token, connect }: ServeHttpOptions): Promise<HttpService> {
  const { StreamableHTTPServerTransport: Transport } = await import('@modelcontextprotocol/sdk/server/streamableHttp.js');
  const clients = new Map<string, StreamableHTTPServerTransport>();
  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const transport = new Transport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void clients.set(id, transport),
      onsessionclosed: (id) => void clients.delete(id),
    });
    await connect(transport);
    return transport;
  };
  const server = createServer((request, response) => {
    const refusal = refuse(request, token);
    if (refusal !== undefined) return answer(response, refusal);
    handle(request, response, clients, open).catch((error: unknown) => answer(response, { status: 500, words: toErrorMessage(error) }));
  });
  await listen(server, port);
  return {
    url: `http://${ADDRESS}:${portOf(server)}${PATH}`,
    [Symbol.asyncDispose]: async () => {
      await Promise.allSettled([...clients.values()].map((client) => client.close()));
      server.closeAllConnections();
      await new Promise<void>((done) => void server.close(() => done()));
    },
  };
}

interface Refusal {
  readonly status: number;
  readonly words: string;
}

/**
 * A page in a browser can be made to send requests here under a name of its own (DNS rebinding): whoever does not call us by
 * our own name, or comes from elsewhere, is turned away before anything is read. Then the token is asked for.
 */
function refuse({ headers, url = '' }: IncomingMessage, token: string): Refusal | undefined {
  if (!isLoopback(`http://${headers.host ?? ''}`)) return { status: 403, words: 'This server answers only to the names of this computer.' };
  if (headers.origin !== undefined && !isLoopback(headers.origin))
    return { status: 403, words: `Requests from ${headers.origin} are not allowed.` };
  if (!isSameSecret(headers.authorization ?? '', `Bearer ${token}`))
    return { status: 401, words: 'The token is missing or wrong. Send it as "Authorization: Bearer TOKEN".' };
  return new URL(url, 'http://x').pathname === PATH ? undefined : { status: 404, words: `The endpoint is ${PATH}.` };
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);
const isLoopback = (address: string): boolean => URL.canParse(address) && LOOPBACK.has(new URL(address).hostname);

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  clients: Map<string, StreamableHTTPServerTransport>,
  open: () => Promise<StreamableHTTPServerTransport>,
): Promise<void> {
  const id = request.headers['mcp-session-id'];
  const known = typeof id === 'string' ? clients.get(id) : undefined;
  if (known !== undefined) return known.handleRequest(request, response);
  if (id !== undefined) return answer(response, { status: 404, words: 'This session is over. Begin with initialize.' });
  const [oldest] = clients;
  if (clients.size >= MAX_CLIENTS && oldest !== undefined) {
    clients.delete(oldest[0]);
    await oldest[1].close();
  }
  return (await open()).handleRequest(request, response);
}

function answer(response: ServerResponse, { status, words }: Refusal): void {
  if (response.headersSent) return void response.end();
  const error = { jsonrpc: '2.0', id: null, error: { code: -32_000, message: words } };
  response.writeHead(status, { 'content-type': 'application/json', ...(status === 401 && { 'www-authenticate': 'Bearer' }) });
  response.end(JSON.stringify(error));
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((done, failed) => {
    server.once('error', (error) =>
      failed(
        readErrorCode(error) === 'EADDRINUSE'
          ? new UsageError(`port ${port} is in use. Choose another with --port, or any free one with --port 0.`)
          : new UsageError(`the server cannot listen on port ${port}: ${error.message}. Choose another with --port.`),
      ),
    );
    server.listen(port, ADDRESS, done);
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server that listens has a port');
  return address.port;
}
