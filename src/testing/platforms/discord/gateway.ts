import type { WebSocket } from 'ws';
import { hear } from './gateway-ops.ts';
import {
  deliver,
  endSession,
  expectHeartbeat,
  note,
  send,
  silence,
  suffer,
  type DiscordEvent,
  type FakeGatewayOptions,
  type FakeGatewaySocket,
  type FakeGatewayState,
} from './gateway-session.ts';
import { createEncoder } from './transport.ts';
import { OPS } from './wire.ts';

export interface DiscordGateway extends Disposable {
  accept(raw: WebSocket, query: URLSearchParams): void;
  dispatch(event: DiscordEvent): void;
  /** Sockets open now: of one bot, or all, those that have not logged in included. */
  openSockets(token?: string): number;
  /** Breaks connections without a word; the sessions can be resumed. */
  drop(token?: string): void;
  close(code: number, token?: string): void;
  /** Asks to reconnect (op 7). */
  reconnect(token?: string): void;
  /** Nothing comes any more on the sockets of now, which stay open. */
  silence(token?: string): void;
  /** No session of before can be resumed. */
  forget(token?: string): void;
}

export function createGateway(options: FakeGatewayOptions): DiscordGateway {
  const state: FakeGatewayState = { ...options, sockets: new Set(), sessions: new Map(), opened: 0 };
  const of = (token?: string) => [...state.sockets].filter(({ session }) => token === undefined || session?.bot.token === token);
  return {
    accept: (raw, query) => accept(state, raw, query),
    dispatch: (event) => {
      for (const session of state.sessions.values()) deliver(state, session, event);
    },
    openSockets: (token) => of(token).length,
    drop: (token) => of(token).forEach(({ raw }) => raw.terminate()),
    close: (code, token) => of(token).forEach(({ raw }) => raw.close(code)),
    reconnect: (token) => of(token).forEach((socket) => send(socket, { op: OPS.reconnect, d: null })),
    silence: (token) => of(token).forEach(silence),
    forget: (token) => {
      for (const session of state.sessions.values()) if (token === undefined || session.bot.token === token) endSession(state, session);
    },
    [Symbol.dispose]: () => of().forEach(({ raw }) => raw.terminate()),
  };
}

function accept(state: FakeGatewayState, raw: WebSocket, query: URLSearchParams): void {
  const socket: FakeGatewaySocket = { number: (state.opened += 1), raw, encode: createEncoder(query.get('compress')), isSilent: false };
  state.sockets.add(socket);
  note(state, socket, 'open');
  raw.on('error', () => raw.terminate());
  raw.on('close', (code) => leave(state, socket, code));
  raw.on('message', (data) => hear(state, socket, Buffer.isBuffer(data) ? data.toString('utf8') : ''));
  if (suffer(state, socket, state.faults.takeForSocket('connect', undefined))) return;
  send(socket, { op: OPS.hello, d: { heartbeat_interval: state.heartbeatMs } });
  expectHeartbeat(state, socket);
}

function leave(state: FakeGatewayState, socket: FakeGatewaySocket, code: number): void {
  clearTimeout(socket.deadline);
  state.sockets.delete(socket);
  note(state, socket, 'close', code);
  if (socket.session?.socket !== socket) return;
  delete socket.session.socket;
  // A bot that says good-bye in the ordinary way gives its session up.
  if (code === 1000 || code === 1001) endSession(state, socket.session);
}
