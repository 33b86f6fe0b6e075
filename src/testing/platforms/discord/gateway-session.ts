import type { WebSocket } from 'ws';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import type { DiscordFaults, DiscordSocketFault } from './faults.ts';
import type { DiscordLog, DiscordSocketStep } from './log.ts';
import { CLOSE_CODES, OPS } from './wire.ts';
import type { DiscordBot, DiscordWorld } from './world.ts';

/** An event and who gets it: each bot's own copy, or none for a bot that must not see it. */
export interface DiscordEvent {
  readonly type: string;
  readonly id?: string;
  /** The bot must have asked for one of these; none means that every bot gets it. */
  readonly intents?: number;
  readonly copyFor: (bot: DiscordBot, intents: number) => JsonObject | undefined;
}

export interface FakeGatewaySession {
  readonly id: string;
  readonly bot: DiscordBot;
  readonly intents: number;
  /** Everything since its start; its place is its number. */
  readonly sent: { readonly type: string; readonly id: string | undefined; readonly data: Json }[];
  socket?: FakeGatewaySocket;
}

export interface FakeGatewaySocket {
  readonly number: number;
  readonly raw: WebSocket;
  readonly encode: (payload: string) => string | Buffer;
  session?: FakeGatewaySession;
  /** A black hole: it hears the bot or not, but says nothing any more. */
  isSilent: boolean;
  deadline?: NodeJS.Timeout;
}

export interface FakeGatewayOptions {
  readonly world: DiscordWorld;
  readonly log: DiscordLog;
  readonly faults: DiscordFaults;
  readonly heartbeatMs: number;
  readonly resumeUrl: string;
}

export interface FakeGatewayState extends FakeGatewayOptions {
  readonly sockets: Set<FakeGatewaySocket>;
  readonly sessions: Map<string, FakeGatewaySession>;
  opened: number;
}

export function endSession(state: FakeGatewayState, session: FakeGatewaySession): void {
  state.sessions.delete(session.id);
}

export function note(state: FakeGatewayState, socket: FakeGatewaySocket, step: DiscordSocketStep['step'], code?: number): void {
  const bot = socket.session?.bot.id;
  state.log.sockets.push({ at: Date.now(), socket: socket.number, bot, step, ...(code !== undefined && { code }) });
}

export function send(socket: FakeGatewaySocket, payload: JsonObject): void {
  if (!socket.isSilent) socket.raw.send(socket.encode(JSON.stringify({ s: null, t: null, ...payload })));
}

export function silence(socket: FakeGatewaySocket): void {
  socket.isSilent = true;
  // A peer behind a black hole does not answer a closing handshake either.
  Object.assign(socket.raw, { close: () => undefined });
}

export function refuse(state: FakeGatewayState, socket: FakeGatewaySocket, code: number): void {
  note(state, socket, 'refuse', code);
  socket.raw.close(code);
}

/** Whether a fault took the place of what would have happened. */
export function suffer(state: FakeGatewayState, socket: FakeGatewaySocket, fault: DiscordSocketFault | undefined): boolean {
  if (fault === undefined) return false;
  if (fault.type === 'close') refuse(state, socket, fault.code);
  if (fault.type === 'drop') socket.raw.terminate();
  if (fault.type === 'silence') silence(socket);
  if (fault.type === 'invalid_session') send(socket, { op: OPS.invalidSession, d: fault.resumable ?? false });
  return true;
}

/** A bot on a busy machine is late at times. */
const LATE_MS = 500;

/** A bot that stops its heartbeats is cut off. */
export function expectHeartbeat(state: FakeGatewayState, socket: FakeGatewaySocket): void {
  clearTimeout(socket.deadline);
  socket.deadline = setTimeout(() => refuse(state, socket, CLOSE_CODES.sessionTimedOut), state.heartbeatMs * 2 + LATE_MS);
  socket.deadline.unref();
}

export function deliver(state: FakeGatewayState, session: FakeGatewaySession, event: DiscordEvent): void {
  if (event.intents !== undefined && (event.intents & session.intents) === 0) return;
  const data = event.copyFor(session.bot, session.intents);
  if (data !== undefined) emit(state, session, { type: event.type, id: event.id, data });
}

export function emit(state: FakeGatewayState, session: FakeGatewaySession, event: FakeGatewaySession['sent'][number]): void {
  session.sent.push(event);
  handOut(state, session, session.sent.length - 1, false);
}

export function handOut(state: FakeGatewayState, session: FakeGatewaySession, index: number, isReplay: boolean): void {
  const [event, socket] = [session.sent[index], session.socket];
  if (event === undefined || socket === undefined || socket.isSilent) return;
  const { type, id, data } = event;
  state.log.events.push({ at: Date.now(), bot: session.bot.id, session: session.id, seq: index + 1, type, id, isReplay });
  send(socket, { op: OPS.dispatch, t: type, s: index + 1, d: data });
}
