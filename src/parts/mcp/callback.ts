import type { AddressInfo } from 'node:net';
import { McpSetupError } from './sdk.ts';

/** The place on this machine a browser comes back to after a login. */
export interface Callback extends AsyncDisposable {
  readonly redirectUrl: string;
  readonly state: string;
  /** The code of the login; throws when it was refused, came from somewhere else or took too long. */
  code(signal: AbortSignal): Promise<string>;
}

const PATH = '/callback';
const DONE = 'Logged in. You can close this page and go back to the terminal.';
const FAILED = 'The login failed. See the terminal for details.';

export async function openCallback(port: number): Promise<Callback> {
  const [{ createServer }, { randomBytes }] = await Promise.all([import('node:http'), import('node:crypto')]);
  const state = randomBytes(24).toString('base64url');
  const arrived = Promise.withResolvers<string>();
  arrived.promise.catch(() => {});
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    // Anybody on this machine can knock here; without our state it is not the answer to our question.
    if (url.pathname !== PATH || url.searchParams.get('state') !== state) return void response.writeHead(404).end();
    const code = url.searchParams.get('code');
    response.writeHead(code === null ? 400 : 200, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
    // The person reads how it went before this place is closed.
    response.end(code === null ? FAILED : DONE, () => {
      if (code !== null) arrived.resolve(code);
      else arrived.reject(new McpSetupError(`the login was refused: ${url.searchParams.get('error') ?? 'no code came back'}`));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port has one
  const { port: bound } = server.address() as AddressInfo;
  return {
    redirectUrl: `http://127.0.0.1:${bound}${PATH}`,
    state,
    code: (signal) => Promise.race([arrived.promise, aborted(signal)]),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const stop = () => reject(new McpSetupError('the login was not finished in time; try again'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
