import { readStringAt } from '../../../base/json.ts';
import type { JsonObject } from '../../../base/json-types.ts';
import { refusals } from './errors.ts';
import { messageWire } from './message-wire.ts';
import { checkDraft, createMessage } from './messages.ts';
import { startThread } from './threads.ts';
import { channelWire, guildWire, memberWire } from './world-wire.ts';
import { canSee, directChannel, guildFor } from './world.ts';
import { channelOfCall, messageOfCall, readDraft } from './messages-routes.ts';
import { objectAt, param, type DiscordRouteAnswer, type DiscordRouteCall, type DiscordRoutes } from './route.ts';

export const channelRoutes: DiscordRoutes = {
  'GET /gateway': ({ core }) => ({ body: { url: gatewayUrl(core.world.origin) } }),
  'GET /gateway/bot': ({ core }) => {
    const session_start_limit = { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 };
    return { body: { url: gatewayUrl(core.world.origin), shards: 1, session_start_limit } };
  },
  'GET /users/@me': ({ bot }) => ({ body: { ...bot.user, verified: true, mfa_enabled: false, flags: 0 } }),
  'GET /users/@me/guilds': ({ core, bot }) => {
    const guilds = [...core.world.guilds.values()].filter(({ members }) => members.has(bot.id));
    return { body: guilds.map(({ id, name }) => ({ id, name, icon: null, owner: false, permissions: '0', features: [] })) };
  },
  'GET /users/:user': (call) => {
    const user = call.core.world.users.get(param(call, 'user'));
    if (user === undefined) throw refusals.unknownUser();
    return { body: user };
  },
  'POST /users/@me/channels': openDirect,
  'GET /oauth2/applications/@me': application,
  'GET /applications/@me': application,
  'GET /guilds/:guild': (call) => ({ body: guildWire(call.core.world, guildOfCall(call), call.bot.id) }),
  'GET /guilds/:guild/channels': (call) => ({ body: channelsOf(call, false) }),
  'GET /guilds/:guild/threads/active': (call) => ({ body: { threads: channelsOf(call, true), members: [], has_more: false } }),
  'GET /guilds/:guild/members/:user': (call) => {
    const user = call.core.world.users.get(param(call, 'user'));
    if (user === undefined || !guildOfCall(call).members.has(user.id)) throw refusals.unknownUser();
    return { body: memberWire(user) };
  },
  'GET /channels/:channel': (call) => ({ body: channelWire(call.core.world, channelOfCall(call), call.bot.id) }),
  'POST /channels/:channel/messages/:message/threads': threadFromMessage,
  'POST /channels/:channel/threads': threadAlone,
  'PUT /channels/:channel/thread-members/@me': (call) => {
    channelOfCall(call).members.add(call.bot.id);
    return undefined;
  },
};

const gatewayUrl = (origin: string): string => `${origin.replace(/^http/, 'ws')}/gateway`;

const guildOfCall = (call: DiscordRouteCall) => guildFor(call.core.world, call.bot.id, param(call, 'guild'));

function application({ bot }: DiscordRouteCall): DiscordRouteAnswer {
  const page = { id: bot.id, name: bot.user.username, icon: null, description: '', summary: '', verify_key: '0', flags: 0 };
  return { body: { ...page, bot_public: true, bot_require_code_grant: false, owner: bot.user, bot: bot.user, tags: [], team: null } };
}

function channelsOf(call: DiscordRouteCall, isThread: boolean): JsonObject[] {
  const { core, bot } = call;
  const guild = guildOfCall(call);
  return [...core.world.channels.values()]
    .filter((channel) => channel.guildId === guild.id && (channel.kind === 'thread') === isThread)
    .filter((channel) => !channel.archived && canSee(core.world, bot.id, channel))
    .map((channel) => channelWire(core.world, channel, bot.id));
}

function openDirect({ core, bot, body }: DiscordRouteCall): DiscordRouteAnswer {
  const user = core.world.users.get(readStringAt(body, 'recipient_id') ?? '');
  if (user === undefined) throw refusals.badField('recipient_id', 'USER_UNKNOWN', 'There is no such user.');
  return { body: channelWire(core.world, directChannel(core.world, bot.id, user.id), bot.id) };
}

function threadFromMessage(call: DiscordRouteCall): DiscordRouteAnswer {
  const { core, bot } = call;
  const message = messageOfCall(call);
  if (core.world.channels.has(message.id)) throw refusals.threadExists();
  const thread = startThread(core, { parent: channelOfCall(call), ownerId: bot.id, name: threadName(call), message });
  return { status: 201, body: channelWire(core.world, thread, bot.id) };
}

function threadAlone(call: DiscordRouteCall): DiscordRouteAnswer {
  const { core, bot, body } = call;
  const parent = channelOfCall(call);
  const first = objectAt(body, 'message');
  const thread = startThread(core, { parent, ownerId: bot.id, name: threadName(call) });
  if (parent.kind !== 'forum') return { status: 201, body: channelWire(core.world, thread, bot.id) };
  const draft = readDraft(call, thread, first);
  checkDraft(draft);
  const message = createMessage(core, draft);
  return { status: 201, body: { ...channelWire(core.world, thread, bot.id), message: messageWire(core.world, message) } };
}

function threadName({ body }: DiscordRouteCall): string {
  const name = readStringAt(body, 'name') ?? '';
  if (name.length < 1 || name.length > 100) throw refusals.badField('name', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 100 in length.');
  return name;
}
