import type { JsonObject } from '../../../base/json-types.ts';

export interface TelegramPerson {
  readonly id: number;
  readonly isBot: boolean;
  readonly name: string;
  readonly username?: string;
}

export interface TelegramBotAccount extends TelegramPerson {
  readonly token: string;
  /** Privacy mode: in groups it sees commands, mentions and replies to itself alone. */
  readonly privacy: boolean;
}

export type TelegramChatType = 'private' | 'group' | 'supergroup' | 'channel';

/** A chat as the people in it know it. A private one belongs to one bot: two bots have two with the same id. */
export interface TelegramChat {
  readonly id: number;
  readonly type: TelegramChatType;
  readonly title: string;
  readonly username?: string;
  readonly isForum: boolean;
  readonly bot?: TelegramBotAccount;
}

/** What a message was at some time, and which request made it so (none: a person did). */
export interface TelegramVersion {
  readonly text: string;
  readonly at: number;
  readonly request?: number;
}

export interface TelegramMessageState {
  readonly id: number;
  readonly chat: TelegramChatState;
  readonly from: TelegramPerson;
  /** The message on the wire, without its number and chat. Replaced as a whole, so that what was handed out stays as it was. */
  body: JsonObject;
  readonly versions: TelegramVersion[];
  /** By who gave them. */
  readonly reactions: Map<number, readonly string[]>;
  deletedAt?: number;
}

export interface TelegramChatState extends TelegramChat {
  readonly members: Map<number, TelegramPerson>;
  readonly bots: Set<TelegramBotAccount>;
  /** Bots that its people blocked or threw out. */
  readonly closedTo: Set<number>;
  readonly topics: Map<number, string>;
  readonly messages: TelegramMessageState[];
  readonly actions: { readonly action: string; readonly at: number; readonly topic?: number }[];
  migratedTo?: TelegramChatState;
}

export const userWire = ({ id, isBot, name, username }: TelegramPerson): JsonObject => ({
  id,
  is_bot: isBot,
  first_name: name,
  ...(username !== undefined && { username }),
});

export const chatWire = ({ id, type, title, username, isForum }: TelegramChat): JsonObject => ({
  id,
  type,
  ...(type === 'private' ? { first_name: title } : { title }),
  ...(username !== undefined && { username }),
  ...(isForum && { is_forum: true }),
});

export const messageWire = ({ id, chat, body }: TelegramMessageState): JsonObject => ({ message_id: id, chat: chatWire(chat), ...body });
