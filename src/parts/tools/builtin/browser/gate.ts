import { randomBytes } from 'node:crypto';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import type { NetworkAccess, NetworkAccessVerdict } from '../../../../contracts/reach.ts';

/**
 * The only way a browser has to the network: a proxy of our own that judges where each connection goes (pages, redirects,
 * what scripts fetch, WebSockets) and opens it to an address that was judged. The browser itself looks up no names.
 */
export interface BrowserProxy extends AsyncDisposable {
  readonly server: string;
  readonly username: string;
  readonly password: string;
  /** What was refused since the last asking. */
  refusals(): readonly RefusedUrl[];
}
export interface RefusedUrl {
  readonly url: string;
  readonly reason: string;
}

const JUDGED_WITHIN_MS = 30_000;
const MAX_REFUSALS = 100;
/** What browsers tell their makers without being asked; no page needs these. */
const OWN_TALK: ReadonlySet<string> = new Set([
  'update.googleapis.com',
  'content-autofill.googleapis.com',
  'optimizationguide-pa.googleapis.com',
  'safebrowsing.googleapis.com',
]);
/** They concern the way to us, not the way on. */
const HOP_HEADERS = ['proxy-authorization', 'proxy-connection'];

export async function openGate(reach: NetworkAccess): Promise<BrowserProxy> {
  const [username, password] = ['browser', randomBytes(24).toString('base64url')];
  const word = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const refused: RefusedUrl[] = [];
  const judge = judgeWith(reach, (refusal) => void (refused.length < MAX_REFUSALS && refused.push(refusal)));
  const server = createServer();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // Another program of this machine is not our browser.
    if (request.headers['proxy-authorization'] !== word) return void response.writeHead(407, CHALLENGE).end();
    void forward(request, response, judge);
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (request.headers['proxy-authorization'] !== word) return void socket.end(UNKNOWN);
    void tunnel(request.url ?? '', socket, head, judge);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has a port
  const { port } = server.unref().address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { server: `http://127.0.0.1:${port}`, username, password, refusals: () => refused.splice(0), [Symbol.asyncDispose]: close };
}

const CHALLENGE = { 'proxy-authenticate': 'Basic realm="browser"' };
const UNKNOWN = 'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="browser"\r\nContent-Length: 0\r\n\r\n';

type JudgeUrl = (url: string) => Promise<NetworkAccessVerdict>;

function judgeWith(reach: NetworkAccess, tell: (refusal: RefusedUrl) => void): JudgeUrl {
  return async (url) => {
    if (OWN_TALK.has(URL.parse(url)?.hostname ?? '')) return { allow: false, reason: 'The browser speaks for itself here.' };
    const verdict = await reach
      .check(url, AbortSignal.timeout(JUDGED_WITHIN_MS))
      .catch((error: unknown): NetworkAccessVerdict => ({ allow: false, reason: `Refused: it could not be judged (${String(error)}).` }));
    if (!verdict.allow) tell({ url, reason: verdict.reason });
    return verdict;
  };
}

/** A plain request: the browser tells the whole URL. */
async function forward(request: IncomingMessage, response: ServerResponse, judge: JudgeUrl): Promise<void> {
  const url = request.url ?? '';
  const verdict = await judge(url);
  if (!verdict.allow) return void response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' }).end(verdict.reason);
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !HOP_HEADERS.includes(name)));
  const onward = httpRequest(url, { method: request.method, headers, agent: false, lookup: pinned(verdict.addresses) });
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
    answer.on('error', () => response.destroy());
  });
  // Without an answer the browser has words of its own for it.
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  request.on('error', () => onward.destroy());
  request.pipe(onward);
}

/** A connection for TLS or a WebSocket: only host and port are told. */
async function tunnel(authority: string, socket: Duplex, head: Buffer, judge: JudgeUrl): Promise<void> {
  const port = Number(/:(\d+)$/.exec(authority)?.[1] ?? 443);
  const verdict = await judge(port === 443 ? `https://${authority.replace(/:443$/, '')}/` : `https://${authority}/`);
  if (!verdict.allow) return void socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
  const onward = connect({ host: URL.parse(verdict.url)?.hostname ?? '', port, lookup: pinned(verdict.addresses) });
  onward.once('connect', () => {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) onward.write(head);
    onward.pipe(socket);
    socket.pipe(onward);
  });
  onward.on('error', () => socket.destroy());
  onward.on('close', () => socket.destroy());
  socket.on('close', () => onward.destroy());
}

/** The name is not looked up a second time: only addresses that were judged are connected to. */
function pinned(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return (_host, options, callback) => {
    const [first] = found;
    if (options.all === true) return callback(null, found);
    callback(null, first?.address ?? '', first?.family ?? 4);
  };
}
