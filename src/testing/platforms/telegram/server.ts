import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listenLocally } from '../../loopback/local-server.ts';
import type { Socket } from 'node:net';
import { systemClock } from '../../../base/clock.ts';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import { TelegramApiError } from './api-error.ts';
import { FaultList, type InjectedFault, type TelegramFault, type TelegramFaultKind } from './faults.ts';
import { TelegramLog, type TelegramRequestRecord } from './log.ts';
import { METHODS } from './methods.ts';
import { readParams, TelegramParams } from './params.ts';
import { TelegramPeople } from './people.ts';
import { TelegramWorld } from './world.ts';

export interface TelegramServerOptions {
  readonly now?: () => number;
  /** The pause before an update is posted again to a webhook that did not take it. */
  readonly webhookRetryMs?: number;
}

/** Connections at this end that have carried a bot's token and are still open. */
export interface TelegramSockets {
  readonly open: number;
  /** Those that wait for updates right now. */
  readonly polling: number;
}

/**
 * A Telegram Bot API server on loopback with people behind it. Bots reach it over HTTP, people by the methods of `people`,
 * and `log` tells what it saw. Disposing it destroys every connection.
 */
export interface TelegramServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, as clients want it that add `/bot` and `/file/bot` themselves. */
  readonly url: string;
  /** `http://127.0.0.1:PORT/bot`; the token follows at once. */
  readonly baseUrl: string;
  readonly people: TelegramPeople;
  readonly log: TelegramLog;
  inject(fault: TelegramFault): InjectedFault;
  sockets(token: string): TelegramSockets;
  /** Cuts the connections of this token that wait for updates right now. */
  hangUp(token: string): void;
  /** Nobody can connect and every connection is cut, until `accept`. The port stays its own. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
}

export async function openTelegramServer({ now = Date.now, webhookRetryMs = 50 }: TelegramServerOptions = {}): Promise<TelegramServer> {
  const world = new TelegramWorld({ now, retryMs: webhookRetryMs });
  const state = { world, log: new TelegramLog(world), faults: new FaultList(), sockets: new Map<Socket, SocketUse>() };
  const server = createServer((incoming, response) => {
    serve(incoming, response, state).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  server.keepAliveTimeout = 0;
  const port = await listenLocally(server);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    baseUrl: `${url}/bot`,
    people: new TelegramPeople(world),
    log: state.log,
    inject: (fault) => state.faults.inject(fault),
    sockets: (token) => countSockets(state.sockets, token),
    hangUp: (token) => {
      for (const [socket, { tokens, polling }] of state.sockets) if (polling && tokens.has(token)) socket.destroy();
    },
    refuse: () => closeServer(server),
    accept: async () => void (await listenLocally(server, port)),
    [Symbol.asyncDispose]: async () => {
      for (const queue of world.queues.values()) queue.close();
      await closeServer(server);
    },
  };
}

/** What a connection was used for. */
interface SocketUse {
  readonly tokens: Set<string>;
  polling: boolean;
}

interface TelegramServerState {
  readonly world: TelegramWorld;
  readonly log: TelegramLog;
  readonly faults: FaultList;
  readonly sockets: Map<Socket, SocketUse>;
}

async function serve(incoming: IncomingMessage, response: ServerResponse, state: TelegramServerState): Promise<void> {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://telegram');
  const [, isFile, token = '', rest = ''] = /^\/(file\/)?bot([^/]+)\/(.+)$/.exec(decodeURIComponent(pathname)) ?? [];
  const method = isFile === undefined ? rest : 'download';
  const use = markSocket(state.sockets, incoming.socket, token);
  const params = isFile === undefined ? await readParams(incoming, searchParams) : new TelegramParams({ path: rest }, new Map());
  const record: TelegramRequestRecord = {
    index: state.log.requests.length,
    at: state.world.now(),
    token,
    method,
    params: params.values,
    files: [...params.files.keys()],
    performed: false,
  };
  state.log.requests.push(record);
  use.polling = method.toLowerCase() === 'getupdates';
  response.once('close', () => (use.polling = false));
  const fault = state.faults.meet({ method, token, chat: params.text('chat_id') });
  if (fault !== undefined) record.fault = fault.type;
  await answer({ response, state, record, params, fault });
}

interface TelegramExchange {
  readonly response: ServerResponse;
  readonly state: TelegramServerState;
  readonly record: TelegramRequestRecord;
  readonly params: TelegramParams;
  readonly fault: TelegramFaultKind | undefined;
}

async function answer(exchange: TelegramExchange): Promise<void> {
  const { response, record, fault } = exchange;
  if (fault?.type === 'black_hole') return;
  if (fault?.type === 'cut') return void response.socket?.destroy();
  if (fault?.type === 'page') return showPage(response, record, fault.status);
  const made = refusalOf(fault) ?? (await perform(exchange));
  if (fault?.type === 'withhold') return fault.ending === 'cut' ? void response.socket?.destroy() : undefined;
  if (fault?.type === 'delay') await systemClock.sleep(fault.ms, whenClosed(response));
  if (response.destroyed) return;
  record.status = made.status;
  if ('bytes' in made) response.writeHead(made.status, { 'content-type': 'application/octet-stream' }).end(made.bytes);
  else respond(response, record, made);
}

function showPage(response: ServerResponse, record: TelegramRequestRecord, status: number): void {
  record.status = status;
  response.writeHead(status, { 'content-type': 'text/html' }).end(`<html><title>${status}</title></html>`);
}

interface JsonAnswer {
  readonly status: number;
  readonly body: JsonObject;
}
type MethodAnswer = JsonAnswer | { readonly status: number; readonly bytes: Uint8Array };

function respond(response: ServerResponse, record: TelegramRequestRecord, { status, body }: JsonAnswer): void {
  if (typeof body['description'] === 'string') record.description = body['description'];
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function refusalOf(fault: TelegramFaultKind | undefined): JsonAnswer | undefined {
  if (fault?.type === 'rate_limit')
    return refuse(new TelegramApiError(429, `Too Many Requests: retry after ${fault.retryAfter}`, { retry_after: fault.retryAfter }));
  return fault?.type === 'status' ? refuse(new TelegramApiError(fault.status, fault.description ?? `Error ${fault.status}`)) : undefined;
}

const refuse = ({ code, message, parameters }: TelegramApiError): JsonAnswer => ({
  status: code,
  body: { ok: false, error_code: code, description: message, ...(parameters && { parameters }) },
});

async function perform({ response, state: { world }, record, params }: TelegramExchange): Promise<MethodAnswer> {
  const bot = world.bots.get(record.token);
  const method = METHODS.get(record.method.toLowerCase());
  if (bot === undefined) return refuse(new TelegramApiError(401, 'Unauthorized'));
  if (record.method === 'download') return download(world, params.text('path') ?? '');
  if (method === undefined) return refuse(new TelegramApiError(404, 'Not Found: method not found'));
  try {
    const result: Json = await method({ world, bot, params, request: record.index, signal: whenClosed(response) });
    record.performed = true;
    return { status: 200, body: { ok: true, result } };
  } catch (error) {
    if (error instanceof TelegramApiError) return refuse(error);
    throw error;
  }
}

function download(world: TelegramWorld, path: string): MethodAnswer {
  const file = world.files.byPath(path);
  return file === undefined ? refuse(new TelegramApiError(404, 'Not Found')) : { status: 200, bytes: file.bytes };
}

function whenClosed(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

function markSocket(sockets: Map<Socket, SocketUse>, socket: Socket, token: string): SocketUse {
  const use = sockets.get(socket) ?? { tokens: new Set(), polling: false };
  if (!sockets.has(socket)) socket.once('close', () => sockets.delete(socket));
  sockets.set(socket, use);
  use.tokens.add(token);
  return use;
}

function countSockets(sockets: ReadonlyMap<Socket, SocketUse>, token: string): TelegramSockets {
  const own = [...sockets.values()].filter(({ tokens }) => tokens.has(token));
  return { open: own.length, polling: own.filter(({ polling }) => polling).length };
}
