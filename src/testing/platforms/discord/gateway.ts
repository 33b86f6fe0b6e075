import type { WebSocket } from 'ws';
import { isObject, parseJson, readNumberAt, readPath, readStringAt } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import type { DiscordFaults, DiscordSocketFault } from './faults.ts';
import type { DiscordLog, DiscordSocketStep } from './log.ts';
import { createEncoder } from './transport.ts';
import { CLOSE_CODES, INTENTS, OPS, PRIVILEGED } from './wire.ts';
import { guildWire, type DiscordBot, type DiscordWorld } from './world.ts';

/** An event and who gets it: each bot's own copy, or none for a bot that must not see it. */
export interface DiscordEvent {
  readonly type: string;
  readonly id?: string;
  /** The bot must have asked for one of these; none means that every bot gets it. */
  readonly intents?: number;
  readonly copyFor: (bot: DiscordBot, intents: number) => JsonObject | undefined;
}

interface FakeGatewaySession {
  readonly id: string;
  readonly bot: DiscordBot;
  readonly intents: number;
  /** Everything since its start; its place is its number. */
  readonly sent: { readonly type: string; readonly id: string | undefined; readonly data: Json }[];
  socket?: FakeGatewaySocket;
}

interface FakeGatewaySocket {
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

interface FakeGatewayState extends FakeGatewayOptions {
  readonly sockets: Set<FakeGatewaySocket>;
  readonly sessions: Map<string, FakeGatewaySession>;
  opened: number;
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

function endSession(state: FakeGatewayState, session: FakeGatewaySession): void {
  state.sessions.delete(session.id);
}

function note(state: FakeGatewayState, socket: FakeGatewaySocket, step: DiscordSocketStep['step'], code?: number): void {
  const bot = socket.session?.bot.id;
  state.log.sockets.push({ at: Date.now(), socket: socket.number, bot, step, ...(code !== undefined && { code }) });
}

function send(socket: FakeGatewaySocket, payload: JsonObject): void {
  if (!socket.isSilent) socket.raw.send(socket.encode(JSON.stringify({ s: null, t: null, ...payload })));
}

function silence(socket: FakeGatewaySocket): void {
  socket.isSilent = true;
  // A peer behind a black hole does not answer a closing handshake either.
  Object.assign(socket.raw, { close: () => undefined });
}

function refuse(state: FakeGatewayState, socket: FakeGatewaySocket, code: number): void {
  note(state, socket, 'refuse', code);
  socket.raw.close(code);
}

/** Whether a fault took the place of what would have happened. */
function suffer(state: FakeGatewayState, socket: FakeGatewaySocket, fault: DiscordSocketFault | undefined): boolean {
  if (fault === undefined) return false;
  if (fault.type === 'close') refuse(state, socket, fault.code);
  if (fault.type === 'drop') socket.raw.terminate();
  if (fault.type === 'silence') silence(socket);
  if (fault.type === 'invalid_session') send(socket, { op: OPS.invalidSession, d: fault.resumable ?? false });
  return true;
}

/** A bot that stops its heartbeats is cut off. */
function expectHeartbeat(state: FakeGatewayState, socket: FakeGatewaySocket): void {
  clearTimeout(socket.deadline);
  socket.deadline = setTimeout(() => refuse(state, socket, CLOSE_CODES.sessionTimedOut), state.heartbeatMs * 2);
  socket.deadline.unref();
}

function hear(state: FakeGatewayState, socket: FakeGatewaySocket, text: string): void {
  if (socket.isSilent) return;
  const payload = parseJson(text);
  if (!isObject(payload)) return refuse(state, socket, CLOSE_CODES.badPayload);
  const handler = HANDLERS.get(readNumberAt(payload, 'op'));
  if (handler === undefined) return refuse(state, socket, CLOSE_CODES.unknownOp);
  handler(state, socket, payload['d'] ?? null);
}

type OpHandler = (state: FakeGatewayState, socket: FakeGatewaySocket, data: Json) => void;

const HANDLERS: ReadonlyMap<number | undefined, OpHandler> = new Map<number, OpHandler>([
  [OPS.heartbeat, answerHeartbeat],
  [OPS.identify, identify],
  [OPS.resume, resume],
  // Presence, voice state and requests for members: heard, nothing to do.
  ...[3, 4, 8].map((op): [number, OpHandler] => [op, requireLogin]),
]);

function requireLogin(state: FakeGatewayState, socket: FakeGatewaySocket): void {
  if (socket.session === undefined) refuse(state, socket, CLOSE_CODES.notAuthenticated);
}

function answerHeartbeat(state: FakeGatewayState, socket: FakeGatewaySocket): void {
  note(state, socket, 'heartbeat');
  expectHeartbeat(state, socket);
  send(socket, { op: OPS.heartbeatAck });
}

function identify(state: FakeGatewayState, socket: FakeGatewaySocket, data: Json): void {
  const bot = botOf(state.world, readStringAt(data, 'token'));
  const intents = readNumberAt(data, 'intents');
  if (socket.session !== undefined) return refuse(state, socket, CLOSE_CODES.alreadyAuthenticated);
  if (suffer(state, socket, state.faults.takeForSocket('identify', bot?.token))) return;
  if (bot === undefined) return refuse(state, socket, CLOSE_CODES.badToken);
  if (intents === undefined) return refuse(state, socket, CLOSE_CODES.badIntents);
  if (!bot.isPrivileged && (intents & PRIVILEGED) !== 0) return refuse(state, socket, CLOSE_CODES.disallowedIntents);
  const session: FakeGatewaySession = { id: state.world.nextId(), bot, intents, sent: [], socket };
  socket.session = session;
  state.sessions.set(session.id, session);
  note(state, socket, 'identify');
  emit(state, session, { type: 'READY', id: session.id, data: readyData(state, session) });
  if ((intents & INTENTS.guilds) !== 0) emitGuilds(state, session);
}

/** The token as the gateway gets it, with or without the word that REST wants before it. */
export const botOf = (world: DiscordWorld, token: string | undefined): DiscordBot | undefined =>
  [...world.bots.values()].find((bot) => bot.token === token?.replace(/^Bot /, ''));

function readyData(state: FakeGatewayState, { id, bot }: FakeGatewaySession): JsonObject {
  const guilds = [...state.world.guilds.values()].filter(({ members }) => members.has(bot.id));
  return {
    v: 10,
    user: { ...bot.user, verified: true, mfa_enabled: false, flags: 0, email: null },
    guilds: guilds.map((guild) => ({ id: guild.id, unavailable: true })),
    session_id: id,
    resume_gateway_url: state.resumeUrl,
    session_type: 'normal',
    private_channels: [],
    application: { id: bot.id, flags: 0 },
    shard: [0, 1],
  };
}

function emitGuilds(state: FakeGatewayState, session: FakeGatewaySession): void {
  for (const guild of state.world.guilds.values()) {
    if (!guild.members.has(session.bot.id)) continue;
    emit(state, session, { type: 'GUILD_CREATE', id: guild.id, data: guildWire(state.world, guild, session.bot.id) });
  }
}

function resume(state: FakeGatewayState, socket: FakeGatewaySocket, data: Json): void {
  const bot = botOf(state.world, readStringAt(data, 'token'));
  const session = state.sessions.get(readStringAt(data, 'session_id') ?? '');
  const seq = readNumberAt(data, 'seq') ?? 0;
  if (suffer(state, socket, state.faults.takeForSocket('resume', bot?.token))) return;
  if (bot === undefined) return refuse(state, socket, CLOSE_CODES.badToken);
  if (session?.bot !== bot) return send(socket, { op: OPS.invalidSession, d: false });
  if (seq > session.sent.length) return refuse(state, socket, CLOSE_CODES.badSequence);
  // The socket of before, if the bot left it open, gets nothing any more.
  session.socket = socket;
  socket.session = session;
  note(state, socket, 'resume');
  for (let next = seq; next < session.sent.length; next++) handOut(state, session, next, true);
  emit(state, session, { type: 'RESUMED', id: undefined, data: {} });
}

function deliver(state: FakeGatewayState, session: FakeGatewaySession, event: DiscordEvent): void {
  if (event.intents !== undefined && (event.intents & session.intents) === 0) return;
  const data = event.copyFor(session.bot, session.intents);
  if (data !== undefined) emit(state, session, { type: event.type, id: event.id, data });
}

function emit(state: FakeGatewayState, session: FakeGatewaySession, event: FakeGatewaySession['sent'][number]): void {
  session.sent.push(event);
  handOut(state, session, session.sent.length - 1, false);
}

function handOut(state: FakeGatewayState, session: FakeGatewaySession, index: number, isReplay: boolean): void {
  const [event, socket] = [session.sent[index], session.socket];
  if (event === undefined || socket === undefined || socket.isSilent) return;
  const { type, id, data } = event;
  state.log.events.push({ at: Date.now(), bot: session.bot.id, session: session.id, seq: index + 1, type, id, isReplay });
  send(socket, { op: OPS.dispatch, t: type, s: index + 1, d: data });
}

/** What a client sent as the content of a field, when it is a plain object. */
export const objectAt = (value: unknown, key: string): JsonObject | undefined => {
  const found = readPath(value, key);
  return isObject(found) ? found : undefined;
};
