import type { Json, JsonObject } from '../../../base/json-types.ts';
import { badRequest, forbidden } from './api-error.ts';
import { TelegramFiles } from './files.ts';
import {
  chatWire,
  messageWire,
  userWire,
  type TelegramBotAccount,
  type TelegramChat,
  type TelegramChatState,
  type TelegramMessageState,
  type TelegramPerson,
} from './model.ts';
import { UpdateQueue, type UpdateSource } from './updates.ts';

/** A button that somebody pressed, and what the bot said to it. */
export interface TelegramPress {
  readonly id: string;
  readonly bot: number;
  readonly chat: number;
  readonly message: number;
  readonly user: number;
  readonly data: string;
  answer?: { readonly text: string; readonly alert: boolean; readonly request: number };
}

export interface NewMessage {
  readonly from: TelegramPerson;
  readonly text: string;
  readonly content: JsonObject;
  readonly request?: number;
}

/** Everything that is behind the wire: who there is, which chats, what was said in them, and what waits for which bot. */
export class TelegramWorld {
  readonly files = new TelegramFiles();
  readonly queues = new Map<TelegramBotAccount, UpdateQueue>();
  readonly bots = new Map<string, TelegramBotAccount>();
  readonly commands = new Map<string, Json>();
  readonly presses: TelegramPress[] = [];
  readonly now: () => number;
  readonly #chats = new Map<string, TelegramChatState>();
  readonly #retryMs: number;
  #nextPerson = 1001;
  #nextGroup = 2001;

  constructor(options: { readonly now: () => number; readonly retryMs: number }) {
    this.now = options.now;
    this.#retryMs = options.retryMs;
  }

  get seconds(): number {
    return Math.floor(this.now() / 1000);
  }
  nextPersonId(): number {
    return this.#nextPerson++;
  }

  addBot(bot: TelegramBotAccount): void {
    this.bots.set(bot.token, bot);
    this.queues.set(bot, new UpdateQueue(bot.id, { now: this.now, retryMs: this.#retryMs }));
  }

  openChat(given: Omit<TelegramChat, 'id'> & { readonly id?: number }, people: readonly TelegramPerson[]): TelegramChatState {
    const id = given.id ?? (given.type === 'group' ? -this.#nextGroup++ : -1_000_000_000_000 - this.#nextGroup++);
    const members = new Map(people.map((person) => [person.id, person]));
    const bots = new Set([...this.bots.values()].filter((bot) => members.has(bot.id)));
    const rest = { closedTo: new Set<number>(), topics: new Map<number, string>(), messages: [], actions: [] };
    const chat: TelegramChatState = { ...given, id, members, bots, ...rest };
    this.#chats.set(keyOf(chat), chat);
    return chat;
  }

  stateOf(chat: TelegramChat): TelegramChatState {
    const state = this.#chats.get(keyOf(chat));
    if (state === undefined) throw new Error(`The Telegram server has no chat ${chat.id}.`);
    return state;
  }

  /** The chat a bot names, if the bot may write there. */
  chatFor(bot: TelegramBotAccount, name: string | undefined): TelegramChatState {
    const chat = this.#find(bot, name ?? '');
    if (chat === undefined || !chat.members.has(bot.id)) throw badRequest(name === undefined ? 'chat_id is empty' : 'chat not found');
    if (chat.migratedTo !== undefined)
      throw badRequest('group chat was upgraded to a supergroup chat', { migrate_to_chat_id: chat.migratedTo.id });
    if (chat.closedTo.has(bot.id))
      throw forbidden(chat.type === 'private' ? 'bot was blocked by the user' : `bot was kicked from the ${chat.type} chat`);
    return chat;
  }

  #find(bot: TelegramBotAccount, name: string): TelegramChatState | undefined {
    if (name.startsWith('@')) return [...this.#chats.values()].find(({ username }) => username === name.slice(1));
    return this.#chats.get(`${bot.id}:${name}`) ?? this.#chats.get(`:${name}`);
  }

  add(chat: TelegramChatState, { from, text, content, request }: NewMessage): TelegramMessageState {
    const sender = chat.type === 'channel' ? { sender_chat: chatWire(chat) } : { from: userWire(from) };
    const message: TelegramMessageState = {
      id: chat.messages.length + 1,
      chat,
      from,
      body: { date: this.seconds, ...sender, ...content },
      versions: [{ text, at: this.now(), ...(request !== undefined && { request }) }],
      reactions: new Map(),
    };
    chat.messages.push(message);
    return message;
  }

  edit(message: TelegramMessageState, content: JsonObject, version: { readonly text: string; readonly request?: number }): void {
    message.body = { ...message.body, ...content, edit_date: this.seconds };
    message.versions.push({ at: this.now(), ...version });
  }

  /** To every bot of the chat that may see it. */
  announce(kind: string, message: TelegramMessageState): void {
    for (const bot of message.chat.bots)
      if (!message.chat.closedTo.has(bot.id) && (!bot.privacy || isForBot(message, bot)))
        this.notify(bot, kind, messageWire(message), { chat: message.chat.id, message: message.id });
  }

  notify(bot: TelegramBotAccount, kind: string, content: JsonObject, source: UpdateSource): void {
    this.queueOf(bot).push(kind, content, source);
  }

  queueOf(bot: TelegramBotAccount): UpdateQueue {
    const queue = this.queues.get(bot);
    if (queue === undefined) throw new Error(`The Telegram server has no bot ${bot.id}.`);
    return queue;
  }
}

const keyOf = ({ id, bot }: TelegramChat): string => `${bot?.id ?? ''}:${id}`;

export const findMessage = (chat: TelegramChatState, id: number | undefined): TelegramMessageState | undefined => {
  const found = chat.messages[(id ?? 0) - 1];
  return found?.deletedAt === undefined ? found : undefined;
};

/** Privacy mode: what a bot in a group is shown all the same. */
function isForBot({ chat, body, versions }: TelegramMessageState, bot: TelegramBotAccount): boolean {
  if (chat.type === 'private' || chat.type === 'channel') return true;
  const text = versions.at(-1)?.text ?? '';
  const repliedTo: unknown = Reflect.get(Object(Reflect.get(Object(body['reply_to_message']), 'from')), 'id');
  return text.startsWith('/') || text.includes(`@${bot.username ?? ''}`) || repliedTo === bot.id;
}
