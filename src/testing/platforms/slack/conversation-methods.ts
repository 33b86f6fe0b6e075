import type { JsonObject } from '../../../base/json-types.ts';
import { findChannel, findJoined, needText, readFlag, readLimit, readText, type SlackCall, type SlackMethod } from './call.ts';
import { pageHistory, pageReplies, readCursor, writeCursor, type SlackPage, type SlackSpan } from './messages.ts';
import { showChannel, showMessage, showUser } from './views.ts';
import { findOr, openDirect, SlackRefusal, type SlackChannel, type SlackChannelKind } from './world.ts';

export const conversationMethods: Readonly<Record<string, SlackMethod>> = {
  'conversations.history': (call) => {
    const channel = findJoined(call);
    return showPage(call, channel, pageHistory(channel, readSpan(call)));
  },
  'conversations.replies': (call) => {
    const channel = findJoined(call);
    return showPage(call, channel, pageReplies(channel, needText(call, 'ts'), readSpan(call)));
  },
  'conversations.list': (call) => {
    const isSeen = ({ kind, members }: SlackChannel) => kind === 'channel' || members.has(call.bot.userId);
    return listChannels(call, isSeen);
  },
  'users.conversations': (call) => listChannels(call, ({ members }) => members.has(call.bot.userId)),
  'conversations.info': (call) => ({
    channel: showChannel(findChannel(call, needText(call, 'channel', 'channel_not_found')), call.bot),
  }),
  'conversations.members': (call) => {
    const channel = findChannel(call, needText(call, 'channel', 'channel_not_found'));
    const { items, meta } = pageList(call, [...channel.members], 100);
    return { members: items, ...meta };
  },
  'conversations.open': (call) => {
    const { world, bot } = call;
    const ids = needText(call, 'users').split(',');
    for (const id of ids) findOr(world.users, (user) => user.id === id && user.teamId === bot.teamId, 'user_not_found');
    const channel = openDirect(world, bot.teamId, [bot.userId, ...ids]);
    return { channel: readFlag(call, 'return_im') ? showChannel(channel, bot) : { id: channel.id } };
  },
  'users.info': (call) => {
    const id = needText(call, 'user', 'user_not_found');
    return { user: showUser(findOr(call.world.users, (user) => user.id === id && user.teamId === call.bot.teamId, 'user_not_found')) };
  },
  'users.list': (call) => {
    const { items, meta } = pageList(
      call,
      call.world.users.filter((user) => user.teamId === call.bot.teamId),
      200,
    );
    return { members: items.map(showUser), ...meta };
  },
};

function readSpan(call: SlackCall): SlackSpan {
  const { limit, cursor } = { limit: readLimit(call, 100, 999), cursor: readText(call, 'cursor') };
  return { oldest: readText(call, 'oldest'), latest: readText(call, 'latest'), inclusive: readFlag(call, 'inclusive'), limit, cursor };
}

function showPage(call: SlackCall, channel: SlackChannel, { messages, next }: SlackPage): JsonObject {
  const withMetadata = readFlag(call, 'include_all_metadata');
  return {
    messages: messages.map((message) => showMessage(channel, message, { origin: call.origin, withMetadata })),
    has_more: next !== undefined,
    pin_count: 0,
    ...(next !== undefined && { response_metadata: { next_cursor: next } }),
  };
}

const KINDS: Readonly<Record<string, SlackChannelKind>> = {
  public_channel: 'channel',
  private_channel: 'private',
  im: 'im',
  mpim: 'mpim',
};

function listChannels(call: SlackCall, isSeen: (channel: SlackChannel) => boolean): JsonObject {
  const { world, bot } = call;
  const kinds = (readText(call, 'types') ?? 'public_channel').split(',').map((type) => KINDS[type.trim()]);
  if (kinds.includes(undefined)) throw new SlackRefusal('invalid_types');
  const isOff = readFlag(call, 'exclude_archived');
  const isListed = (channel: SlackChannel) => kinds.includes(channel.kind) && !(isOff && channel.isArchived) && isSeen(channel);
  const { items, meta } = pageList(
    call,
    world.channels.filter((channel) => channel.teamId === bot.teamId && isListed(channel)),
    100,
  );
  return { channels: items.map((channel) => showChannel(channel, bot)), ...meta };
}

function pageList<Item>(call: SlackCall, all: readonly Item[], usual: number): { items: readonly Item[]; meta: JsonObject } {
  const limit = readLimit(call, usual, 1000);
  const cursor = readText(call, 'cursor');
  const start = cursor === undefined ? 0 : Number(readCursor(cursor));
  const end = start + limit;
  return { items: all.slice(start, end), meta: { response_metadata: { next_cursor: end < all.length ? writeCursor(String(end)) : '' } } };
}
