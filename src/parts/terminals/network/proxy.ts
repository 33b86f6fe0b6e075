import {
  createServer,
  request as sendRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { GateRefusal, HostGate } from './gate.ts';
import { findRelayedRequest } from './module-relay.ts';
import { readSocksRequest, SOCKS_VERSION, toSocksReply } from './socks.ts';
import { joinTunnel } from './tunnel.ts';

/** Connections at once: more than any package manager opens, fewer than would harm this machine. */
const MAX_CONNECTIONS = 256;
/** How long somebody may take to say what they want. */
const REQUEST_MS = 30_000;
const MAX_HEADER_BYTES = 32 * 1024;
const HTTP = 80;
/** An answer or a body may pause that long. */
const IDLE_MS = 15 * 60_000;

export interface ProxyListener {
  /** Takes up a connection from inside. */
  serve(socket: Socket): void;
  close(): void;
}

/** Speaks HTTP (CONNECT and whole addresses) and SOCKS5 on one port; who may be talked to the gate decides. */
export function createProxy(gate: HostGate): ProxyListener {
  const open = new Set<Socket>();
  /** Connections that asked for port 80 of a host: what they say is read as HTTP for that host and no other. */
  const plain = new WeakMap<Socket, ProxyTarget>();
  const used = new WeakSet<Socket>();
  const http = createServer({ maxHeaderSize: MAX_HEADER_BYTES, insecureHTTPParser: false, keepAlive: false });
  http.on('clientError', (_error, socket) => (socket.writable ? socket.end(BAD_REQUEST) : socket.destroy()));
  http.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // A second request behind the first is left unread: the connection ends with the answer to the first.
    if (used.has(request.socket)) return;
    used.add(request.socket);
    settled(request.socket);
    forward(gate, request, response, plain.get(request.socket)).catch(() => response.destroy());
  });
  http.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    settled(socket);
    tunnel({ gate, http, plain }, request, socket, head).catch(() => socket.destroy());
  });
  http.on('upgrade', (_request, socket: Socket) => socket.end(BAD_REQUEST));
  return {
    serve: (socket) => {
      if (open.size >= MAX_CONNECTIONS) return void socket.destroy();
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      socket.on('error', () => socket.destroy());
      begin(socket);
      socket.once('data', (chunk: Buffer) => {
        socket.pause();
        if (chunk[0] === SOCKS_VERSION) return void serveSocks({ gate, http, plain }, socket, chunk).catch(() => socket.destroy());
        socket.unshift(chunk);
        http.emit('connection', socket);
        socket.resume();
      });
      socket.resume();
    },
    close: () => {
      for (const socket of open) socket.destroy();
    },
  };
}

interface ProxyParts {
  readonly gate: HostGate;
  readonly http: Server;
  readonly plain: WeakMap<Socket, ProxyTarget>;
}
interface ProxyTarget {
  readonly host: string;
  readonly port: number;
}

/** Until a request has come whole, its connection lives on borrowed time. */
const WAITING = new WeakMap<Socket, NodeJS.Timeout>();
function begin(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), REQUEST_MS).unref();
  WAITING.set(socket, timer);
  socket.once('close', () => clearTimeout(timer));
}
const settled = (socket: Socket): void => clearTimeout(WAITING.get(socket));

async function serveSocks(parts: ProxyParts, socket: Socket, head: Buffer): Promise<void> {
  const wanted = await readSocksRequest(socket, head, REQUEST_MS);
  if (wanted === undefined) return;
  const target = parseTarget(wanted.host, wanted.port);
  if (target === undefined) return void socket.end(toSocksReply('wrongAddress'));
  if (readsAsHttp(target)) {
    const refusal = await parts.gate.admit({ ...target, how: 'CONNECT' });
    if (refusal !== undefined) return void socket.end(toSocksReply('notAllowed'));
    socket.write(toSocksReply('granted'));
    return readAsHttp(parts, socket, target);
  }
  settled(socket);
  const answer = await parts.gate.open({ ...target, how: 'CONNECT' });
  if (!answer.ok) return void socket.end(toSocksReply(answer.refused ? 'notAllowed' : 'unreachable'));
  if (socket.destroyed) return void answer.socket.destroy();
  socket.write(toSocksReply('granted'));
  await joinTunnel(socket, answer.socket, Buffer.alloc(0), { ...target, literal: isIP(target.host) !== 0 });
}

async function tunnel(parts: ProxyParts, request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
  socket.on('error', () => socket.destroy());
  const [, host = '', port] = /^(\[[0-9a-f:.]+\]|[^:@/?#\s]+):(\d{1,5})$/i.exec(request.url ?? '') ?? [];
  const target = parseTarget(host, Number(port));
  if (target === undefined) return void socket.end(BAD_REQUEST);
  if (readsAsHttp(target)) {
    const refusal = await parts.gate.admit({ ...target, how: 'CONNECT' });
    if (refusal !== undefined) return void socket.end(toRefusal(refusal));
    socket.write(ESTABLISHED);
    if (head.length > 0) socket.unshift(head);
    begin(socket);
    return readAsHttp(parts, socket, target);
  }
  const answer = await parts.gate.open({ ...target, how: 'CONNECT' });
  if (!answer.ok) return void socket.end(toRefusal(answer));
  if (socket.destroyed) return void answer.socket.destroy();
  socket.write(ESTABLISHED);
  await joinTunnel(socket, answer.socket, head, { ...target, literal: isIP(target.host) !== 0 });
}

/** Nothing hides the name in plain HTTP but the next request: each is read, and sent on under the name that was asked about. */
const readsAsHttp = ({ host, port }: ProxyTarget): boolean => port === HTTP && isIP(host) === 0;
function readAsHttp({ http, plain }: ProxyParts, socket: Socket, target: ProxyTarget): void {
  plain.set(socket, target);
  http.emit('connection', socket);
  socket.resume();
}

/** One request a connection, made anew for the host: no header of one hop and no framing of the sender's goes on. */
async function forward(gate: HostGate, request: IncomingMessage, response: ServerResponse, fixed: ProxyTarget | undefined): Promise<void> {
  response.shouldKeepAlive = false;
  const wanted = parseWanted(request.url ?? '', fixed);
  if (wanted === undefined) return answerWith(response, 400, NO_ADDRESS);
  const method = request.method ?? 'GET';
  const relayed = wanted.port === HTTP && READS.has(method) ? findRelayedRequest(wanted.host, wanted.path) : undefined;
  if (relayed?.path === '/supported') return answerWith(response, 200, '');
  const answer = await (relayed === undefined ? gate.open({ host: wanted.host, port: wanted.port, how: method }) : gate.openRelay(relayed));
  if (!answer.ok) return answerWith(response, answer.refused ? 403 : 502, answer.reason);
  if (response.destroyed) return void answer.socket.destroy();
  answer.socket.setTimeout(IDLE_MS, () => answer.socket.destroy());
  const onward = sendRequest({
    // Without an agent: one would look for a connection of its own, and not take this one.
    createConnection: () => answer.socket,
    method,
    path: relayed?.path ?? wanted.path,
    headers: { ...keepEndToEnd(request.headers), host: relayed?.host ?? wanted.authority, connection: 'close' },
    setHost: false,
  });
  onward.on('response', (reply) => {
    reply.on('error', () => response.destroy());
    try {
      response.writeHead(reply.statusCode ?? 502, { ...keepEndToEnd(reply.headers), connection: 'close' });
      reply.pipe(response);
    } catch {
      // What a parser lets through is not always what may be written: a status of 99.
      response.destroy();
    }
  });
  const fail = (why: string) => (response.headersSent ? response.destroy() : answerWith(response, 502, `The host did not answer: ${why}.`));
  onward.on('error', (error) => fail(error.message));
  // An answer that wants another protocol ends the connection without an error.
  onward.once('close', () => {
    if (!response.headersSent) fail('it closed the connection');
  });
  response.once('close', () => answer.socket.destroy());
  request.pipe(onward);
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

interface WantedPage extends ProxyTarget {
  readonly authority: string;
  readonly path: string;
}
/** An address whose host is spelt as it is meant; the `Host` header has no say. */
function parseWanted(text: string, fixed: ProxyTarget | undefined): WantedPage | undefined {
  // oxlint-disable-next-line no-control-regex -- nothing of a second request may hide in an address
  if (/[\u0000-\u0020\u007f]/.test(text)) return undefined;
  if (fixed !== undefined) return text.startsWith('/') ? { ...fixed, authority: fixed.host, path: text } : undefined;
  const [, authority = '', path = ''] = /^http:\/\/([^/?#@\\]+)([/?][^#]*)?$/i.exec(text) ?? [];
  const [, host = '', port = String(HTTP)] = /^(\[[0-9a-f:.]+\]|[^:]+)(?::(\d{1,5}))?$/i.exec(authority) ?? [];
  const target = parseTarget(host, Number(port));
  return target === undefined ? undefined : { ...target, authority, path: path.startsWith('/') ? path : `/${path}` };
}

/** A host as it is judged. Spellings that only mean to hide (octal addresses, escapes, blanks) are no host. */
function parseTarget(written: string, port: number): ProxyTarget | undefined {
  const bare = written.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
  if (isIP(bare) === 6) return { host: URL.parse(`http://[${bare}]`)?.hostname.slice(1, -1) ?? bare, port };
  const name = bare.replace(/\.$/, '');
  if (!/^[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?$/.test(name) || name.includes('..')) return undefined;
  // The parser of addresses turns every spelling of a number into one address.
  return URL.parse(`http://${name}`)?.hostname === name ? { host: name, port } : undefined;
}

const HOP_BY_HOP = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade host expect'.split(
    ' ',
  ),
);
/** The body is framed anew: its length is kept where one was given, and nothing else that speaks of one hop. */
function keepEndToEnd(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const named = new Set((headers.connection ?? '').toLowerCase().split(/\s*,\s*/));
  const chunked = headers['transfer-encoding'] !== undefined;
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP_BY_HOP.has(name) || named.has(name) || (chunked && name === 'content-length') ? [] : [[name, value]],
    ),
  );
}

const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';
const NO_ADDRESS = 'This is a proxy. It takes whole addresses (http://example.org/page) and CONNECT host:port.';
const toRefusal = ({ refused, reason }: GateRefusal): string => {
  const body = `${reason}\n`;
  const status = refused ? '403 Forbidden' : '502 Bad Gateway';
  return `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;
};
const BAD_REQUEST = 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

function answerWith(response: ServerResponse, status: number, reason: string): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end(`${reason}\n`);
}
