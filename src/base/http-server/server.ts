import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { readErrorCode, UsageError } from '../errors.ts';
import { waitAtMost } from '../waits.ts';
import type { HttpPlace, HttpTimes } from './contract.ts';

export interface RunningServer extends AsyncDisposable {
  readonly port: number;
}
export interface StartServerOptions extends HttpPlace {
  readonly times: HttpTimes;
  readonly advice: string;
}
/** A request and the way back. */
export interface ServerExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The client asks before it sends the body. */
  readonly isAsking: boolean;
}

const MAX_CONNECTIONS = 1_024;
const MAX_HEADER_BYTES = 16_384;
/** How often Node looks for requests that take too long. */
const MAX_CHECK_MS = 5_000;

const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EADDRNOTAVAIL: 'this computer has no such address',
  EACCES: 'ports below 1024 need special rights',
};
const describeListenError = (error: Error): string => LISTEN_ERRORS[readErrorCode(error)] ?? error.message;

export async function startServer(
  { host, port, times, advice }: StartServerOptions,
  handle: (exchange: ServerExchange) => Promise<void>,
): Promise<RunningServer> {
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: Math.min(times.headersMs, times.requestMs),
    requestTimeout: times.requestMs,
    connectionsCheckingInterval: Math.min(times.headersMs, MAX_CHECK_MS),
  });
  server.on('request', (request, response) => void handle({ request, response, isAsking: false }));
  server.on('checkContinue', (request, response) => void handle({ request, response, isAsking: true }));
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((done, fail) => {
    server.once('error', (error) =>
      fail(new UsageError(`nothing can listen at ${host}:${port}: ${describeListenError(error)}. ${advice}`)),
    );
    server.listen({ host, port }, done);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((done) => server.close(done));
      server.closeIdleConnections();
      await waitAtMost(closed, times.drainMs);
      server.closeAllConnections();
      await closed;
    },
  };
}
