import { createServer, type Server } from 'node:http';
import { closeServer, listenLocally, originOf } from '../../loopback/local-server.ts';
import type { Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import { readStringAt } from '../../../base/json.ts';
import { createBuckets, type DiscordBucketOptions } from './buckets.ts';
import type { DiscordCore } from './core.ts';
import { createFaults, type DiscordFault, type DiscordFaults } from './faults.ts';
import { createGateway, type DiscordGateway } from './gateway.ts';
import { createLog, type DiscordLog } from './log.ts';
import { createPeople, type DiscordPeople } from './people.ts';
import { serveRest } from './rest.ts';
import { listVisible, type DiscordVisibleMessage } from './visible.ts';
import type { DiscordUser } from './wire.ts';
import {
  addChannel,
  addUser,
  createWorld,
  directChannel,
  type DiscordChannelOptions,
  type DiscordBot,
  type DiscordChannel,
  type DiscordGuild,
  type DiscordMessage,
} from './world.ts';

export interface DiscordServerOptions {
  readonly heartbeatMs?: number;
  readonly buckets?: DiscordBucketOptions;
  readonly nonceMs?: number;
  readonly interactionMs?: number;
  readonly followUpMs?: number;
  readonly maxUploadBytes?: number;
}

/**
 * A Discord on loopback: its REST API and its gateway for bots, a script for people, and a log of its own that says
 * what bots were handed and what they did. Everything a bot does goes over HTTP and WebSocket.
 */
export interface DiscordServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT/api/v10` */
  readonly apiUrl: string;
  /** `ws://127.0.0.1:PORT/gateway` */
  readonly gatewayUrl: string;
  readonly log: DiscordLog;
  readonly people: DiscordPeople;
  readonly gateway: Pick<DiscordGateway, 'openSockets' | 'drop' | 'close' | 'reconnect' | 'silence' | 'forget'>;
  addUser(name: string, options?: { readonly isBot?: boolean; readonly closedDms?: boolean }): DiscordUser;
  addBot(name: string, options?: { readonly token?: string; readonly isPrivileged?: boolean }): DiscordBot;
  addGuild(name: string, members: readonly { readonly id: string }[]): DiscordGuild;
  addChannel(guild: DiscordGuild, name: string, options?: Partial<DiscordChannelOptions>): DiscordChannel;
  /** The direct channel of a bot and a person. */
  direct(bot: DiscordBot, user: DiscordUser): DiscordChannel;
  /** The channel is gone for everybody. */
  removeChannel(channel: DiscordChannel): void;
  channel(id: string): DiscordChannel | undefined;
  message(id: string): DiscordMessage | undefined;
  /** What stands in a channel, oldest first. */
  visible(channel: { readonly id: string }): readonly DiscordVisibleMessage[];
  /** The names of a bot's commands. */
  commandsOf(bot: DiscordBot): readonly string[];
  fault(fault: DiscordFault): Disposable;
  /** New connections break at once, and those of now too, until disposed. */
  refuseConnections(): Disposable;
}

export async function openDiscordServer(options: DiscordServerOptions = {}): Promise<DiscordServer> {
  const server = createServer();
  server.keepAliveTimeout = 0;
  await listenLocally(server);
  const [origin, closing, faults] = [originOf(server), new AbortController(), createFaults()];
  const core = createCore(origin, faults, options);
  const buckets = createBuckets(options.buckets ?? { limit: 10_000, windowMs: 1_000 });
  server.on('request', (incoming, response) => {
    serveRest({ core, faults, buckets, closing: closing.signal }, incoming, response).catch((error: unknown) => {
      if (closing.signal.aborted || response.headersSent) return response.destroy();
      return response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error));
    });
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url ?? '/', origin);
    sockets.handleUpgrade(request, socket, head, (raw) => core.gateway.accept(raw, url.searchParams));
  });
  return {
    ...surface(core, faults, origin),
    refuseConnections: refuser(server),
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      core.gateway[Symbol.dispose]();
      sockets.close();
      await closeServer(server);
    },
  };
}

function createCore(origin: string, faults: DiscordFaults, options: DiscordServerOptions): DiscordCore {
  const [world, log] = [createWorld(origin), createLog()];
  const resumeUrl = `${origin.replace(/^http/, 'ws')}/resume`;
  const gateway = createGateway({ world, log, faults, resumeUrl, heartbeatMs: options.heartbeatMs ?? 41_250 });
  return {
    world,
    log,
    gateway,
    interactions: new Map(),
    nonceMs: options.nonceMs ?? 5 * 60_000,
    interactionMs: options.interactionMs ?? 3_000,
    followUpMs: options.followUpMs ?? 15 * 60_000,
    maxUploadBytes: options.maxUploadBytes ?? 10 * 1024 * 1024,
  };
}

type DiscordSurface = Omit<DiscordServer, 'refuseConnections' | typeof Symbol.asyncDispose>;

function surface(core: DiscordCore, faults: DiscordFaults, origin: string): DiscordSurface {
  const { world, log, gateway } = core;
  return {
    apiUrl: `${origin}/api/v10`,
    gatewayUrl: `${origin.replace(/^http/, 'ws')}/gateway`,
    log,
    gateway,
    people: createPeople(core),
    addUser: (name, { isBot = false, closedDms = false } = {}) => {
      const user = addUser(world, name, isBot);
      if (closedDms) world.closedDms.add(user.id);
      return user;
    },
    addBot: (name, { token, isPrivileged = true } = {}) => addBot(core, name, { token, isPrivileged }),
    addGuild: (name, members) => {
      const ids = members.map(({ id }) => id);
      const guild = { id: world.nextId(), name, ownerId: ids[0] ?? '', members: new Set(ids) };
      world.guilds.set(guild.id, guild);
      return guild;
    },
    addChannel: (guild, name, given = {}) => addChannel(world, { kind: 'text', ...given, guildId: guild.id, name }),
    direct: (bot, user) => directChannel(world, bot.id, user.id),
    removeChannel: (channel) => void (channel.isDeleted = true),
    channel: (id) => world.channels.get(id),
    message: (id) => world.messages.get(id),
    visible: ({ id }) => listVisible(world, id),
    commandsOf: (bot) => (world.commands.get(bot.id) ?? []).flatMap((command) => readStringAt(command, 'name') ?? []),
    fault: (fault) => faults.add(fault),
  };
}

function addBot({ world }: DiscordCore, name: string, given: { token: string | undefined; isPrivileged: boolean }): DiscordBot {
  const user = addUser(world, name, true);
  const token = given.token ?? `${Buffer.from(user.id).toString('base64url')}.${name}.secret`;
  const bot = { id: user.id, token, user, isPrivileged: given.isPrivileged };
  world.bots.set(bot.id, bot);
  return bot;
}

function refuser(server: Server): () => Disposable {
  const open = new Set<Socket>();
  const state = { refusals: 0 };
  server.on('connection', (socket) => {
    if (state.refusals > 0) return socket.destroy();
    open.add(socket);
    return socket.once('close', () => open.delete(socket));
  });
  return () => {
    state.refusals += 1;
    for (const socket of open) socket.destroy();
    return { [Symbol.dispose]: () => void (state.refusals -= 1) };
  };
}
