import { readPath, readStringAt } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import { parseEntities } from './entities.ts';
import { MEDIA_KINDS } from './files.ts';
import {
  chatWire,
  messageWire,
  userWire,
  type TelegramBotAccount,
  type TelegramChat,
  type TelegramChatState,
  type TelegramChatType,
  type TelegramMessageState,
  type TelegramPerson,
} from './model.ts';
import type { TelegramUpload } from './params.ts';
import { quoted } from './send.ts';
import { findMessage, type TelegramPress, type TelegramWorld } from './world.ts';

/** What a person says. Media take the text as their caption. */
export interface Utterance {
  readonly text?: string;
  readonly photo?: TelegramUpload;
  readonly document?: TelegramUpload;
  readonly voice?: TelegramUpload;
  readonly audio?: TelegramUpload;
  readonly video?: TelegramUpload;
  /** The message it answers. */
  readonly replyTo?: number;
  readonly topic?: number;
  /** The message it takes the place of. */
  readonly edit?: number;
  /** Messages with the same word here are one album. */
  readonly album?: string;
  /** It is forwarded: by whom it was written. A name alone is somebody who hides who they are. */
  readonly forwarded?: TelegramPerson | TelegramChat | string;
  /** The bot that made it, for a person who wrote to it in the field of this chat. */
  readonly via?: TelegramPerson;
  /** Whatever else the wire may show: a location, a sticker. */
  readonly more?: JsonObject;
}

export interface NewTelegramBot {
  readonly name?: string;
  readonly username?: string;
  readonly token?: string;
  readonly privacy?: boolean;
}

/** The people's side: who there is, and what they do. Everything reaches the bots as updates at once. */
export class TelegramPeople {
  readonly #world: TelegramWorld;

  constructor(world: TelegramWorld) {
    this.#world = world;
  }

  addBot({ name = 'Bot', username, token, privacy = false }: NewTelegramBot = {}): TelegramBotAccount {
    const id = this.#world.nextPersonId();
    const bot = { id, isBot: true, name, username: username ?? `test_${id}_bot`, token: token ?? `${id}:fake-token-${id}`, privacy };
    this.#world.addBot(bot);
    return bot;
  }

  addUser(name: string, more: { readonly username?: string; readonly isBot?: boolean } = {}): TelegramPerson {
    return { id: this.#world.nextPersonId(), isBot: false, name, ...more };
  }

  /** Opens the private chat of a person with a bot, as if it had been started. */
  openPrivate(bot: TelegramBotAccount, user: TelegramPerson): TelegramChat {
    const { id, name: title } = user;
    return this.#world.openChat({ id, type: 'private', title, isForum: false, bot }, [bot, user]);
  }

  openGroup(
    type: Exclude<TelegramChatType, 'private'>,
    title: string,
    members: readonly TelegramPerson[],
    more: { readonly isForum?: boolean; readonly username?: string } = {},
  ): TelegramChat {
    const chat = this.#world.openChat({ type, title, isForum: false, ...more }, members);
    // Message 1 of a forum is its General topic.
    const [founder] = members;
    if (chat.isForum && founder !== undefined)
      this.#world.add(chat, { from: founder, text: '', content: { supergroup_chat_created: true } });
    return chat;
  }

  addTopic(chat: TelegramChat, user: TelegramPerson, name: string): number {
    const state = this.#world.stateOf(chat);
    const content = { forum_topic_created: { name, icon_color: 0x6fb9f0 } };
    const message = this.#world.add(state, { from: user, text: '', content });
    message.body = { ...message.body, message_thread_id: message.id, is_topic_message: true };
    state.topics.set(message.id, name);
    this.#world.announce('message', message);
    return message.id;
  }
  closeTopic(chat: TelegramChat, topic: number): void {
    this.#world.stateOf(chat).topics.delete(topic);
  }

  /** The number of the message. */
  say(chat: TelegramChat, user: TelegramPerson, said: Utterance | string): number {
    const state = this.#world.stateOf(chat);
    if (state.migratedTo !== undefined) throw new Error(`Chat ${chat.id} was upgraded; speak in ${state.migratedTo.id}.`);
    const utterance = typeof said === 'string' ? { text: said } : said;
    const content = this.#contentOf(state, utterance);
    const text = utterance.text?.trim() ?? '';
    const isPost = chat.type === 'channel';
    if (utterance.edit === undefined) {
      const message = this.#world.add(state, { from: user, text, content });
      this.#world.announce(isPost ? 'channel_post' : 'message', message);
      return message.id;
    }
    const message = this.#visible(state, utterance.edit);
    this.#world.edit(message, content, { text });
    this.#world.announce(isPost ? 'edited_channel_post' : 'edited_message', message);
    return message.id;
  }

  remove(chat: TelegramChat, message: number): void {
    this.#visible(this.#world.stateOf(chat), message).deletedAt = this.#world.now();
  }

  /** Presses the button with these words under a message, as it is now. Gives the number of the press. */
  press(chat: TelegramChat, user: TelegramPerson, message: number, button: string): string {
    const state = this.#world.stateOf(chat);
    const pressed = this.#visible(state, message);
    const data = dataOf(readPath(pressed.body, 'reply_markup', 'inline_keyboard'), button);
    const bot = [...state.bots].find(({ id }) => id === pressed.from.id);
    if (data === undefined || bot === undefined) throw new Error(`Message ${message} of chat ${chat.id} has no button "${button}".`);
    const id = `press-${this.#world.presses.length + 1}`;
    const press: TelegramPress = { id, bot: bot.id, chat: chat.id, message, user: user.id, data };
    this.#world.presses.push(press);
    const content = { id, from: userWire(user), message: messageWire(pressed), chat_instance: `${chat.id}`, data };
    this.#world.notify(bot, 'callback_query', content, { chat: chat.id, message });
    return id;
  }

  react(chat: TelegramChat, user: TelegramPerson, message: number, emoji: readonly string[]): void {
    const state = this.#world.stateOf(chat);
    const found = this.#visible(state, message);
    const wire = (all: readonly string[]): Json => all.map((each) => ({ type: 'emoji', emoji: each }));
    const old = found.reactions.get(user.id) ?? [];
    found.reactions.set(user.id, emoji);
    const content = { chat: chatWire(chat), message_id: message, user: userWire(user), date: this.#world.seconds };
    for (const bot of state.bots)
      this.#world.notify(
        bot,
        'message_reaction',
        { ...content, old_reaction: wire(old), new_reaction: wire(emoji) },
        { chat: chat.id, message },
      );
  }

  /** Makes a supergroup of a group: a new chat with a new id; the old one only says where it went. */
  upgrade(group: TelegramChat, user: TelegramPerson): TelegramChat {
    const old = this.#world.stateOf(group);
    const members = [...old.members.values()];
    const chat = this.#world.openChat({ type: 'supergroup', title: group.title, isForum: false }, members);
    const told = this.#world.add(old, { from: user, text: '', content: { migrate_to_chat_id: chat.id } });
    old.migratedTo = chat;
    this.#world.announce('message', told);
    const first = this.#world.add(chat, { from: user, text: '', content: { migrate_from_chat_id: old.id } });
    this.#world.announce('message', first);
    return chat;
  }

  /** The person blocks the bot, or the group throws it out; `false` lets it in again. */
  shutOut(chat: TelegramChat, bot: TelegramBotAccount, isOut = true): void {
    const state = this.#world.stateOf(chat);
    if (isOut) state.closedTo.add(bot.id);
    else state.closedTo.delete(bot.id);
  }

  #visible(chat: TelegramChatState, id: number): TelegramMessageState {
    const message = findMessage(chat, id);
    if (message === undefined) throw new Error(`Chat ${chat.id} has no message ${id}.`);
    return message;
  }

  #contentOf(chat: TelegramChatState, said: Utterance): JsonObject {
    const { text = '', replyTo, topic, album, forwarded, via, more } = said;
    const kind = MEDIA_KINDS.find((each) => said[each] !== undefined);
    const upload = kind === undefined ? undefined : said[kind];
    const field = upload === undefined ? 'text' : 'caption';
    const { text: words, entities } = parseEntities(text) ?? { text, entities: [] };
    return {
      ...(kind !== undefined && upload !== undefined && { [kind]: this.#world.files.wire(kind, upload) }),
      ...(words !== '' && { [field]: words }),
      ...(entities.length > 0 && { [field === 'text' ? 'entities' : 'caption_entities']: entities }),
      ...(topic !== undefined && { message_thread_id: topic, is_topic_message: true }),
      // What opened a topic stands as a reply in every message of it.
      ...((replyTo ?? topic) !== undefined && quoted(this.#visible(chat, replyTo ?? topic ?? 0))),
      ...(album !== undefined && { media_group_id: album }),
      ...(forwarded !== undefined && { forward_origin: originWire(forwarded, this.#world.seconds) }),
      ...(via !== undefined && { via_bot: userWire(via) }),
      ...more,
    };
  }
}

function originWire(author: TelegramPerson | TelegramChat | string, date: number): JsonObject {
  if (typeof author === 'string') return { type: 'hidden_user', sender_user_name: author, date };
  if ('isBot' in author) return { type: 'user', sender_user: userWire(author), date };
  const chat = chatWire(author);
  return author.type === 'channel' ? { type: 'channel', chat, message_id: 1, date } : { type: 'chat', sender_chat: chat, date };
}

function dataOf(rows: Json | undefined, button: string): string | undefined {
  const all = (Array.isArray(rows) ? rows : []).flat();
  return readStringAt(
    all.find((each: Json) => readStringAt(each, 'text') === button),
    'callback_data',
  );
}
