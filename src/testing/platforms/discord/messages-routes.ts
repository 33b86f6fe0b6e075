import { isObject, readPath, readStringAt } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import { refusals } from './errors.ts';
import { listMessages } from './history.ts';
import { contentOf, messageWire } from './message-wire.ts';
import {
  checkDraft,
  createMessage,
  deleteMessage,
  editMessage,
  messageIn,
  react,
  sameNonce,
  type DiscordDraft,
  type DiscordPatch,
} from './messages.ts';
import { channelFor, type DiscordChannel, type DiscordMessage } from './world.ts';
import { objectAt, param, type DiscordRouteAnswer, type DiscordRouteCall, type DiscordRoutes } from './route.ts';

export const messageRoutes: DiscordRoutes = {
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

export const channelOfCall = (call: DiscordRouteCall): DiscordChannel => channelFor(call.core.world, call.bot.id, param(call, 'channel'));

export const messageOfCall = (call: DiscordRouteCall): DiscordMessage => messageIn(channelOfCall(call), param(call, 'message'));

export const shown = ({ core }: DiscordRouteCall, message: DiscordMessage): DiscordRouteAnswer => ({
  body: messageWire(core.world, message),
});

function reactAs(call: DiscordRouteCall, isAdded: boolean): undefined {
  react(call.core, messageOfCall(call), { userId: call.bot.id, emoji: param(call, 'emoji'), isAdded });
}

/** A message as the body of a request describes it. */
export function readDraft(call: DiscordRouteCall, channel: DiscordChannel, body: Json | undefined): DiscordDraft {
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

export function readPatch({ files, request }: DiscordRouteCall, body: Json | undefined): DiscordPatch {
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

function postMessage(call: DiscordRouteCall, channel: DiscordChannel, body: Json | undefined): DiscordMessage {
  const { core } = call;
  const draft = readDraft(call, channel, body);
  checkDraft(draft);
  if (channel.kind === 'dm' && [...channel.members].some((id) => core.world.closedDms.has(id))) throw refusals.closedToBots();
  if (channel.kind === 'forum') throw refusals.badField('channel_id', 'CHANNEL_TYPE_INVALID', 'A forum takes posts, not messages.');
  channel.archived = false;
  // Whoever writes into a thread joins it.
  if (channel.kind === 'thread') channel.members.add(call.bot.id);
  const isOnce = draft.nonce !== undefined && readPath(body, 'enforce_nonce') === true;
  return (isOnce ? sameNonce(core, draft) : undefined) ?? createMessage(core, checkReference(channel, draft, body));
}

/** A reply to what is not there is refused, or becomes a plain message when the bot does not insist. */
function checkReference(channel: DiscordChannel, draft: DiscordDraft, body: Json | undefined): DiscordDraft {
  const { reference, ...plain } = draft;
  if (reference === undefined || channel.messages.some(({ id, deletedAt }) => id === reference && deletedAt === undefined)) return draft;
  if (readPath(body, 'message_reference', 'fail_if_not_exists') === false) return plain;
  throw refusals.badField('message_reference', 'REPLIES_UNKNOWN_MESSAGE', 'Unknown message');
}
