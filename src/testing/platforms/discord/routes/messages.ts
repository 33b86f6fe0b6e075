import { isObject, readPath, readStringAt } from '../../../../base/json.ts';
import type { Json, JsonObject } from '../../../../base/json-types.ts';
import { refusals } from '../errors.ts';
import { objectAt } from '../gateway.ts';
import {
  checkDraft,
  contentOf,
  createMessage,
  deleteMessage,
  editMessage,
  listMessages,
  messageIn,
  messageWire,
  react,
  sameNonce,
  type MessageDraft,
  type MessagePatch,
} from '../messages.ts';
import { channelFor, type DiscordChannel, type StoredMessage } from '../world.ts';
import { param, type RouteAnswer, type RouteCall, type Routes } from './route.ts';

export const messageRoutes: Routes = {
  'GET /channels/:channel/messages': (call) => {
    const found = listMessages(channelOfCall(call), call.query);
    return { body: found.map((message) => messageWire(call.core.world, message)) };
  },
  'GET /channels/:channel/messages/:message': (call) => shown(call, messageOfCall(call)),
  'POST /channels/:channel/messages': (call) => shown(call, postMessage(call, channelOfCall(call), call.body)),
  'PATCH /channels/:channel/messages/:message': (call) => {
    const message = messageOfCall(call);
    if (message.author.id !== call.bot.id) throw refusals.notTheAuthor();
    const patch = readPatch(call, call.body);
    checkDraft({ content: contentOf(message), ...patch });
    return shown(call, editMessage(call.core, message, patch));
  },
  'DELETE /channels/:channel/messages/:message': (call) => {
    deleteMessage(call.core, messageOfCall(call));
    return undefined;
  },
  'PUT /channels/:channel/messages/:message/reactions/:emoji/@me': (call) => reactAs(call, true),
  'DELETE /channels/:channel/messages/:message/reactions/:emoji/@me': (call) => reactAs(call, false),
  'POST /channels/:channel/typing': (call) => {
    channelOfCall(call);
    return undefined;
  },
};

export const channelOfCall = (call: RouteCall): DiscordChannel => channelFor(call.core.world, call.bot.id, param(call, 'channel'));

export const messageOfCall = (call: RouteCall): StoredMessage => messageIn(channelOfCall(call), param(call, 'message'));

export const shown = ({ core }: RouteCall, message: StoredMessage): RouteAnswer => ({ body: messageWire(core.world, message) });

function reactAs(call: RouteCall, isAdded: boolean): undefined {
  react(call.core, messageOfCall(call), { userId: call.bot.id, emoji: param(call, 'emoji'), isAdded });
}

/** A message as the body of a request describes it. */
export function readDraft(call: RouteCall, channel: DiscordChannel, body: Json | undefined): MessageDraft {
  const nonce = readPath(body, 'nonce');
  const reference = readStringAt(body, 'message_reference', 'message_id');
  const allowedMentions = objectAt(body, 'allowed_mentions');
  return {
    channel,
    author: call.bot.user,
    content: readStringAt(body, 'content') ?? '',
    ...readPatch(call, body),
    ...((typeof nonce === 'string' || typeof nonce === 'number') && { nonce: String(nonce) }),
    ...(reference !== undefined && { reference }),
    ...(allowedMentions !== undefined && { allowedMentions }),
  };
}

export function readPatch({ files, request }: RouteCall, body: Json | undefined): MessagePatch {
  const given: JsonObject = isObject(body) ? body : {};
  const { content, components, embeds, flags } = given;
  return {
    files,
    request,
    ...(typeof content === 'string' && { content }),
    ...(Array.isArray(components) && { components }),
    ...(Array.isArray(embeds) && { embeds }),
    ...(typeof flags === 'number' && { flags }),
  };
}

function postMessage(call: RouteCall, channel: DiscordChannel, body: Json | undefined): StoredMessage {
  const { core } = call;
  const draft = readDraft(call, channel, body);
  checkDraft(draft);
  if (channel.kind === 'dm' && [...channel.members].some((id) => core.world.closedDms.has(id))) throw refusals.closedToBots();
  if (channel.kind === 'forum') throw refusals.badField('channel_id', 'CHANNEL_TYPE_INVALID', 'A forum takes posts, not messages.');
  if (channel.archived) channel.archived = false;
  checkReference(channel, draft, body);
  const isOnce = draft.nonce !== undefined && readPath(body, 'enforce_nonce') === true;
  return (isOnce ? sameNonce(core, draft) : undefined) ?? createMessage(core, draft);
}

function checkReference(channel: DiscordChannel, { reference }: MessageDraft, body: Json | undefined): void {
  if (reference === undefined || readPath(body, 'message_reference', 'fail_if_not_exists') === false) return;
  if (!channel.messages.some(({ id, deletedAt }) => id === reference && deletedAt === undefined))
    throw refusals.badField('message_reference', 'REPLIES_UNKNOWN_MESSAGE', 'Unknown message');
}
