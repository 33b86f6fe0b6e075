import { findJoined, needText, readList, readObject, readText, type SlackCall, type SlackMethod } from './call.ts';
import { editMessage, findMessage, postMessage } from './messages.ts';
import { showMessage } from './views.ts';
import { openDirect, SlackRefusal, type SlackChannel } from './world.ts';

export const chatMethods: Readonly<Record<string, SlackMethod>> = {
  'chat.postMessage': (call) => {
    const { world, bot, request, origin, publish } = call;
    const channel = findWritable(call);
    const metadata = readObject(call, 'metadata');
    const threadTs = readText(call, 'thread_ts');
    const message = postMessage(world, channel, {
      user: bot.userId,
      bot,
      ...readWords(call),
      ...(metadata !== undefined && { metadata }),
      ...(threadTs !== undefined && { threadTs }),
      request,
    });
    publish(channel, { type: 'said', message });
    return { channel: channel.id, ts: message.ts, message: showMessage(channel, message, { origin, withMetadata: true }) };
  },

  'chat.postEphemeral': (call) => {
    const { world, bot, request } = call;
    const channel = findWritable(call);
    const onlyFor = needText(call, 'user', 'user_not_found');
    if (!channel.members.has(onlyFor)) throw new SlackRefusal('user_not_in_channel');
    const { ts } = postMessage(world, channel, { user: bot.userId, bot, ...readWords(call), onlyFor, request });
    return { message_ts: ts };
  },

  'chat.update': (call) => {
    const { world, bot, request, origin, publish } = call;
    const channel = findWritable(call);
    const message = findMessage(channel, needText(call, 'ts'));
    if (message.bot !== bot) throw new SlackRefusal('cant_update_message');
    const previous = showMessage(channel, message, { origin });
    editMessage(world, message, { ...readWords(call), request });
    publish(channel, { type: 'edited', message, previous });
    return { channel: channel.id, ts: message.ts, text: message.text, message: showMessage(channel, message, { origin }) };
  },

  'chat.delete': (call) => {
    const { bot, origin, publish } = call;
    const channel = findWritable(call);
    const message = findMessage(channel, needText(call, 'ts'));
    if (message.bot !== bot) throw new SlackRefusal('cant_delete_message');
    const previous = showMessage(channel, message, { origin });
    message.isDeleted = true;
    publish(channel, { type: 'deleted', message, previous });
    return { channel: channel.id, ts: message.ts };
  },

  'reactions.add': (call) => {
    const message = findMessage(findJoined(call), needText(call, 'timestamp'));
    const reaction = { name: needText(call, 'name', 'invalid_name'), user: call.bot.userId };
    if (message.reactions.some(({ name, user }) => name === reaction.name && user === reaction.user))
      throw new SlackRefusal('already_reacted');
    message.reactions.push(reaction);
    return {};
  },

  'reactions.remove': (call) => {
    const { reactions } = findMessage(findJoined(call), needText(call, 'timestamp'));
    const wanted = needText(call, 'name', 'invalid_name');
    const index = reactions.findIndex(({ name, user }) => name === wanted && user === call.bot.userId);
    if (index < 0) throw new SlackRefusal('no_reaction');
    reactions.splice(index, 1);
    return {};
  },

  'assistant.threads.setStatus': (call) => {
    const channel = findJoined(call, 'channel_id');
    findMessage(channel, needText(call, 'thread_ts'), 'thread_not_found');
    if (typeof call.arguments['status'] !== 'string') throw new SlackRefusal('invalid_arguments');
    return {};
  },
};

const readWords = (call: SlackCall) => {
  const blocks = readList(call, 'blocks');
  return { text: readText(call, 'text') ?? '', ...(blocks !== undefined && { blocks }) };
};

/** A user's id as a channel means the direct chat with that user. */
function findWritable(call: SlackCall): SlackChannel {
  const { world, bot } = call;
  const id = needText(call, 'channel', 'channel_not_found');
  const user = world.users.find((person) => person.id === id && person.teamId === bot.teamId);
  const channel = user === undefined ? findJoined(call) : openDirect(world, bot.teamId, [bot.userId, user.id]);
  if (channel.isArchived) throw new SlackRefusal('is_archived');
  return channel;
}
