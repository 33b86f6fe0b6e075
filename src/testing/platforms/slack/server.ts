import { createServer, type Server } from 'node:http';
import { closeServer, listenLocally, originOf } from '../../loopback/local-server.ts';
import type { Socket } from 'node:net';
import type { JsonObject } from '../../../base/json-types.ts';
import { serveSlack } from './api.ts';
import type { SlackCall } from './call.ts';
import { toCallback, toEvents } from './events.ts';
import { createFaults, type SlackFaultRule } from './faults.ts';
import type { SlackLogEntry } from './log.ts';
import { createPeople, sayResponse, type SlackPeople, type SlackResponseTicket } from './people.ts';
import { openSockets, type SlackSocketOptions, type SlackSockets } from './sockets.ts';
import * as worlds from './world.ts';
import type { SlackApp, SlackBot, SlackChannel, SlackChannelKind, SlackMessage, SlackUser, SlackWorkspace } from './world.ts';

/**
 * Slack on loopback: the Web API over HTTP and Socket Mode over WebSockets, with workspaces, people and channels that a test makes up.
 * Bots see nothing but HTTP and sockets, so they may run in another process; the log here says what really happened.
 */
export interface SlackServer extends AsyncDisposable, SlackPeople {
  /** `http://127.0.0.1:PORT/api/`. */
  readonly apiUrl: string;
  /** In order of time. */
  readonly log: readonly SlackLogEntry[];
  addWorkspace(name?: string): SlackWorkspace;
  addUser(workspace: SlackWorkspace, name: string): SlackUser;
  addApp(): SlackApp;
  /** A new app when none is given. */
  install(workspace: SlackWorkspace, app?: SlackApp): SlackBot;
  addChannel(workspace: SlackWorkspace, options: SlackChannelOptions): SlackChannel;
  /** The direct chat of a bot with one person or more. */
  openDirect(bot: SlackBot, ...users: readonly SlackUser[]): SlackChannel;
  /** What stands in a channel now, what only one person sees included. */
  visible(channel: SlackChannel): readonly SlackMessage[];
  addFault(rule: SlackFaultRule): Disposable;
  /** New TCP connections are cut at once, idle ones too; sockets stay. */
  refuseConnections(): Disposable;
  readonly sockets: Omit<SlackSockets, 'accept' | 'issueTicket' | 'deliver' | typeof Symbol.dispose>;
}

export interface SlackChannelOptions {
  readonly name: string;
  readonly kind?: Exclude<SlackChannelKind, 'im' | 'mpim'>;
  readonly members: readonly (SlackUser | SlackBot)[];
}

export type SlackServerOptions = Partial<Omit<SlackSocketOptions, 'log'>>;

export async function openSlackServer(options: SlackServerOptions = {}): Promise<SlackServer> {
  const { now = () => Date.now(), ackWithinMs = 3000, retryAfterMs = [0, 60_000, 300_000] } = options;
  const { pingEveryMs = 10_000, whenAway = 'lose' } = options;
  const log: SlackLogEntry[] = [];
  const world = worlds.createWorld(now);
  const faults = createFaults();
  const sockets = openSockets({ log, now, ackWithinMs, retryAfterMs, pingEveryMs, whenAway });
  const tickets = new Map<string, SlackResponseTicket>();
  const origin = () => originOf(server);
  const publish: SlackCall['publish'] = (channel, change) => {
    for (const event of toEvents(world, channel, change, origin()))
      void sockets.deliver(event.bot.app, { kind: 'events_api', payload: toCallback(world, event) });
  };
  const respond = (ticket: string, words: JsonObject, request: number) => {
    const known = tickets.get(ticket);
    if (known === undefined || known.left <= 0) throw new worlds.SlackRefusal('expired_url');
    known.left -= 1;
    sayResponse(world, known, words, request);
  };
  const openSocket = (app: SlackApp) => origin().replace('http', 'ws') + sockets.issueTicket(app);
  const server = createServer((incoming, response) => {
    serveSlack(incoming, response, { world, log, faults, origin, publish, openSocket, respond }).catch(() => response.destroy());
  });
  server.on('upgrade', sockets.accept);
  server.keepAliveTimeout = 0;
  const gate = guardConnections(server);
  await listenLocally(server);
  return {
    ...createPeople({ world, sockets, origin, publish, tickets }),
    ...createPlaces(world),
    apiUrl: `${origin()}/api/`,
    log,
    sockets,
    addFault: faults.add,
    refuseConnections: gate,
    [Symbol.asyncDispose]: async () => {
      sockets[Symbol.dispose]();
      await closeServer(server);
    },
  };
}

type SlackPlaces = Pick<SlackServer, 'addWorkspace' | 'addUser' | 'addApp' | 'install' | 'addChannel' | 'openDirect' | 'visible'>;

const createPlaces = (world: worlds.SlackWorld): SlackPlaces => ({
  addWorkspace: (name = 'acme') => worlds.addWorkspace(world, name),
  addUser: ({ id }, name) => worlds.addUser(world, id, name),
  addApp: () => worlds.addApp(world),
  install: ({ id }, app = worlds.addApp(world)) => worlds.installApp(world, app, id, 'hermes'),
  addChannel: ({ id }, { name, kind = 'channel', members }) =>
    worlds.addChannel(world, {
      teamId: id,
      name,
      kind,
      members: members.map((member) => ('userId' in member ? member.userId : member.id)),
    }),
  openDirect: (bot, ...users) => worlds.openDirect(world, bot.teamId, [bot.userId, ...users.map(({ id }) => id)]),
  visible: ({ messages }) => messages.filter(({ isDeleted }) => !isDeleted),
});

function guardConnections(server: Server): () => Disposable {
  const closers = new Set<object>();
  server.on('connection', (socket: Socket) => closers.size > 0 && socket.destroy());
  return () => {
    const closer = {};
    closers.add(closer);
    server.closeIdleConnections();
    return { [Symbol.dispose]: () => void closers.delete(closer) };
  };
}
