import type { DiscordCore, OpenInteraction } from './core.ts';
import { press, slash, type DiscordSlashOptions } from './interactions.ts';
import { createMessage, deleteMessage, editMessage, react, type DiscordFile } from './messages.ts';
import { startThread } from './threads.ts';
import type { DiscordUser } from './wire.ts';
import type { DiscordChannel, DiscordMessage } from './world.ts';

export interface DiscordWords {
  readonly text?: string;
  readonly attachments?: readonly DiscordFile[];
  /** The message it answers. */
  readonly reply?: DiscordMessage;
  /** The message it forwards. The person adds no words then. */
  readonly forward?: DiscordMessage;
  /** Who is named at the start of the text. */
  readonly mention?: { readonly id: string };
  /** Starts a thread of this name on the message. */
  readonly thread?: string;
}

/** What people and other bots do, by the hand of the test. */
export interface DiscordPeople {
  say(channel: DiscordChannel, user: DiscordUser, words: DiscordWords | string): DiscordMessage;
  edit(message: DiscordMessage, text: string): void;
  remove(message: DiscordMessage): void;
  react(message: DiscordMessage, user: DiscordUser, emoji: string): void;
  startThread(parent: DiscordChannel, user: DiscordUser, name: string, message?: DiscordMessage): DiscordChannel;
  slash(
    channel: DiscordChannel,
    user: DiscordUser,
    bot: { readonly id: string },
    name: string,
    options?: DiscordSlashOptions,
  ): OpenInteraction;
  press(message: DiscordMessage, user: DiscordUser, customId: string): OpenInteraction;
}

export function createPeople(core: DiscordCore): DiscordPeople {
  return {
    say: (channel, author, words) => sayIn(core, channel, author, typeof words === 'string' ? { text: words } : words),
    edit: (message, content) => void editMessage(core, message, { content }),
    remove: (message) => deleteMessage(core, message),
    react: (message, { id }, emoji) => react(core, message, { userId: id, emoji, isAdded: true }),
    startThread: (parent, { id }, name, message) =>
      startThread(core, { parent, ownerId: id, name, ...(message !== undefined && { message }) }),
    slash: (channel, user, bot, name, options = {}) => slash(core, { botId: bot.id, user, channel, name, options }),
    press: (message, user, customId) => {
      const channel = core.world.channels.get(message.channelId);
      if (channel === undefined) throw new Error('The channel of the message is gone.');
      return press(core, { message, user, channel, customId });
    },
  };
}

function sayIn(core: DiscordCore, channel: DiscordChannel, author: DiscordUser, words: DiscordWords): DiscordMessage {
  const { text = '', attachments = [], reply, forward, mention, thread } = words;
  const content = mention === undefined ? text : `<@${mention.id}> ${text}`;
  const message = createMessage(core, {
    channel,
    author,
    content,
    files: attachments,
    ...(reply !== undefined && { reference: reply.id }),
    ...(forward !== undefined && { forwarded: forward }),
  });
  if (thread !== undefined) startThread(core, { parent: channel, ownerId: author.id, name: thread, message });
  return message;
}
