import { isObject, parseJson, readNumberAt, readStringAt } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import {
  emit,
  expectHeartbeat,
  handOut,
  note,
  refuse,
  send,
  suffer,
  type FakeGatewaySession,
  type FakeGatewaySocket,
  type FakeGatewayState,
} from './gateway-session.ts';
import { CLOSE_CODES, INTENTS, OPS, PRIVILEGED } from './wire.ts';
import { guildWire } from './world-wire.ts';
import type { DiscordBot, DiscordWorld } from './world.ts';

/** Takes one frame of a bot. */
export function hear(state: FakeGatewayState, socket: FakeGatewaySocket, text: string): void {
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
