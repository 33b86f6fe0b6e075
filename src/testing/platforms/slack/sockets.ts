import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { isObject, parseJson, readStringAt } from '../../../base/json.ts';
import type { JsonObject } from '../../../base/json-types.ts';
import type { SlackLogEntry } from './log.ts';
import type { SlackApp } from './world.ts';

/** Slack's side of Socket Mode, for all apps. */
export interface SlackSockets extends Disposable {
  /** The path and query of an address that opens one socket, once. */
  issueTicket(app: SlackApp): string;
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Hands an envelope to one of the app's sockets; resolves when it is acknowledged or given up. */
  deliver(app: SlackApp, envelope: SlackEnvelope): Promise<SlackAck>;
  /** How many sockets of the app are open now. */
  count(app: SlackApp): number;
  /** Ends them without a word. */
  drop(app: SlackApp): void;
  /** Announces the end; on `refresh_requested` it also comes, a moment later. */
  disconnect(app: SlackApp, reason: 'warning' | 'refresh_requested'): void;
  /** Nothing reaches the app any more, not even a pong; what it sends still arrives. New sockets are deaf too unless `existing` says only those. */
  deafen(app: SlackApp, which?: 'all' | 'existing'): Disposable;
}

export interface SlackEnvelope {
  readonly kind: 'events_api' | 'interactive' | 'slash_commands';
  readonly payload: JsonObject;
}
export interface SlackAck {
  readonly isAcked: boolean;
  readonly response?: JsonObject;
}

export interface SlackSocketOptions {
  readonly log: SlackLogEntry[];
  readonly now: () => number;
  /** 3 s at Slack. */
  readonly ackWithinMs: number;
  /** The waits before the second, third and fourth attempt. */
  readonly retryAfterMs: readonly number[];
  readonly pingEveryMs: number;
  /** Events for an app without a socket are lost, or wait for the next one as if they had been handed out. */
  readonly whenAway: 'lose' | 'keep';
}

const MAX_CONNECTIONS = 10;
const REFRESH_GRACE_MS = 500;

interface OpenSocketLink {
  readonly id: number;
  readonly app: SlackApp;
  readonly socket: WebSocket;
  readonly timers: NodeJS.Timeout[];
  isDeaf: boolean;
  /** What could not get through, as a network holds it back. */
  readonly held: string[];
  /** Takes it off the list, once. */
  leave: () => void;
}
interface EnvelopeDelivery {
  readonly app: SlackApp;
  readonly envelope: SlackEnvelope;
  readonly done: PromiseWithResolvers<SlackAck>;
  attempt: number;
  /** The socket that has it now; none while it waits for one. */
  holder?: OpenSocketLink | undefined;
  timer?: NodeJS.Timeout | undefined;
}
interface SocketExchange {
  readonly options: SlackSocketOptions;
  readonly connections: Set<OpenSocketLink>;
  readonly deliveries: Set<EnvelopeDelivery>;
  readonly envelopes: Map<string, EnvelopeDelivery>;
  readonly deafApps: Set<SlackApp>;
}

export function openSockets(options: SlackSocketOptions): SlackSockets {
  const exchange: SocketExchange = { options, connections: new Set(), deliveries: new Set(), envelopes: new Map(), deafApps: new Set() };
  const tickets = new Map<string, SlackApp>();
  const server = new WebSocketServer({ noServer: true, autoPong: false });
  const of = (app: SlackApp) => [...exchange.connections].filter((connection) => connection.app === app);
  let opened = 0;
  return {
    issueTicket: (app) => {
      const ticket = randomUUID();
      tickets.set(ticket, app);
      return `/link/?ticket=${ticket}&app_id=${app.id}`;
    },
    accept: (request, socket, head) => {
      const ticket = new URL(request.url ?? '', 'http://slack').searchParams.get('ticket') ?? '';
      const app = tickets.get(ticket);
      tickets.delete(ticket);
      if (app === undefined) return void socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      server.handleUpgrade(request, socket, head, (link) => welcome(exchange, app, link, (opened += 1)));
    },
    deliver: (app, envelope) => {
      const delivery: EnvelopeDelivery = { app, envelope, done: Promise.withResolvers(), attempt: 0 };
      exchange.deliveries.add(delivery);
      handOut(exchange, delivery);
      return delivery.done.promise;
    },
    count: (app) => of(app).length,
    drop: (app) => {
      for (const { socket, leave: end } of of(app)) {
        socket.terminate();
        end();
      }
    },
    disconnect: (app, reason) => of(app).forEach((connection) => announceEnd(connection, reason)),
    deafen: (app, which = 'all') => deafen(exchange, app, which),
    [Symbol.dispose]: () => {
      for (const delivery of exchange.deliveries) clearTimeout(delivery.timer);
      for (const { socket } of exchange.connections) socket.terminate();
      server.close();
    },
  };
}

function welcome(exchange: SocketExchange, app: SlackApp, socket: WebSocket, id: number): void {
  const { options, connections } = exchange;
  const isFull = [...connections].filter((other) => other.app === app).length >= MAX_CONNECTIONS;
  const connection: OpenSocketLink = {
    id,
    app,
    socket,
    timers: [],
    isDeaf: exchange.deafApps.has(app),
    held: [],
    leave: () => leave(exchange, connection),
  };
  socket.on('error', () => socket.terminate());
  if (isFull) return announceEnd(connection, 'too_many_websockets');
  connections.add(connection);
  note(exchange, 'connected', connection);
  socket.on('ping', (data) => connection.isDeaf || socket.pong(data));
  socket.on('message', (data) => Buffer.isBuffer(data) && acknowledge(exchange, data.toString('utf8')));
  socket.on('close', connection.leave);
  connection.timers.push(setInterval(() => connection.isDeaf || socket.ping('ping'), options.pingEveryMs));
  send(connection, hello(app, countOf(exchange, app)));
  for (const delivery of exchange.deliveries)
    if (delivery.holder === undefined && delivery.timer === undefined) handOut(exchange, delivery);
}

function leave(exchange: SocketExchange, connection: OpenSocketLink): void {
  if (!exchange.connections.delete(connection)) return;
  connection.timers.forEach((timer) => clearTimeout(timer));
  note(exchange, 'disconnected', connection);
  for (const delivery of exchange.deliveries) if (delivery.holder === connection) giveBack(exchange, delivery);
}

function note(exchange: SocketExchange, type: 'connected' | 'disconnected', { id, app }: OpenSocketLink): void {
  const { log, now } = exchange.options;
  log.push({ type, at: now(), app: app.id, socket: id, open: countOf(exchange, app) });
}

const countOf = ({ connections }: SocketExchange, app: SlackApp) => [...connections].filter((connection) => connection.app === app).length;

const DEBUG = { host: 'applink-1', build_number: 1, approximate_connection_time: 18_060 };
const hello = (app: SlackApp, open: number): JsonObject => ({
  type: 'hello',
  num_connections: open,
  debug_info: DEBUG,
  connection_info: { app_id: app.id },
});

function send({ socket, isDeaf, held }: OpenSocketLink, frame: JsonObject): void {
  if (isDeaf) held.push(JSON.stringify(frame));
  else socket.send(JSON.stringify(frame));
}

function announceEnd(connection: OpenSocketLink, reason: string): void {
  send(connection, { type: 'disconnect', reason, debug_info: DEBUG });
  if (reason === 'warning') return;
  connection.timers.push(setTimeout(() => connection.socket.close(), reason === 'refresh_requested' ? REFRESH_GRACE_MS : 0));
}

function deafen(exchange: SocketExchange, app: SlackApp, which: 'all' | 'existing'): Disposable {
  const { deafApps, connections } = exchange;
  if (which === 'all') deafApps.add(app);
  for (const connection of connections) if (connection.app === app) connection.isDeaf = true;
  return {
    [Symbol.dispose]: () => {
      deafApps.delete(app);
      for (const connection of connections) if (connection.app === app && connection.isDeaf) hearAgain(connection);
    },
  };
}

/** A connection that comes back brings what was held, in order. */
function hearAgain(connection: OpenSocketLink): void {
  connection.isDeaf = false;
  for (const frame of connection.held.splice(0)) connection.socket.send(frame);
}

/** Slack does not try a press or a slash command again: the person sees that it failed. */
const isRepeated = ({ envelope }: EnvelopeDelivery) => envelope.kind === 'events_api';

function handOut(exchange: SocketExchange, delivery: EnvelopeDelivery): void {
  const { options, connections } = exchange;
  const { app, envelope, attempt } = delivery;
  const open = [...connections].filter((connection) => connection.app === app);
  const holder = open[exchange.envelopes.size % Math.max(1, open.length)];
  const isLost = attempt === 0 && (options.whenAway === 'lose' || !isRepeated(delivery));
  if (holder === undefined) return isLost ? lose(exchange, delivery) : undefined;
  const id = randomUUID();
  exchange.envelopes.set(id, delivery);
  delivery.holder = holder;
  const { kind, payload } = envelope;
  options.log.push({ type: 'handed_out', at: options.now(), app: app.id, socket: holder.id, envelope: id, kind, attempt, payload });
  const retries = kind === 'events_api' && { retry_attempt: attempt, retry_reason: attempt === 0 ? '' : 'timeout' };
  send(holder, { envelope_id: id, type: kind, accepts_response_payload: kind === 'slash_commands', payload, ...retries });
  delivery.timer = setTimeout(() => giveBack(exchange, delivery), options.ackWithinMs);
}

/** Not acknowledged in time, or its socket is gone. */
function giveBack(exchange: SocketExchange, delivery: EnvelopeDelivery): void {
  clearTimeout(delivery.timer);
  delivery.timer = undefined;
  delivery.holder = undefined;
  const wait = exchange.options.retryAfterMs[delivery.attempt];
  if (!isRepeated(delivery) || wait === undefined) return lose(exchange, delivery);
  delivery.attempt += 1;
  // With nobody there it waits for the next socket.
  if (countOf(exchange, delivery.app) === 0) return;
  delivery.timer = setTimeout(() => {
    delivery.timer = undefined;
    handOut(exchange, delivery);
  }, wait);
}

function lose(exchange: SocketExchange, delivery: EnvelopeDelivery): void {
  const { app, envelope, done } = delivery;
  exchange.options.log.push({ type: 'lost', at: exchange.options.now(), app: app.id, ...envelope });
  exchange.deliveries.delete(delivery);
  done.resolve({ isAcked: false });
}

function acknowledge(exchange: SocketExchange, text: string): void {
  const frame = parseJson(text);
  const id = readStringAt(frame, 'envelope_id');
  const delivery = id === undefined ? undefined : exchange.envelopes.get(id);
  if (id === undefined || delivery === undefined || !isObject(frame)) return;
  const { options, deliveries } = exchange;
  options.log.push({ type: 'acked', at: options.now(), app: delivery.app.id, envelope: id });
  clearTimeout(delivery.timer);
  deliveries.delete(delivery);
  const { payload } = frame;
  delivery.done.resolve({ isAcked: true, ...(isObject(payload) && { response: payload }) });
}
