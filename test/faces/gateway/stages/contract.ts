import type { JsonObject } from '../../../../src/base/json-types.ts';

/** One person's private chat with one of our bots. */
export interface StageChat {
  /** The account of the bot, as the settings name it. */
  readonly account: string;
  readonly chatId: string;
  readonly personId: string;
}
/** A message of ours as the person sees it now. */
export interface StageMessage {
  readonly id: string;
  readonly text: string;
  readonly hasButtons: boolean;
  /** The names of the files it brings. */
  readonly files: readonly string[];
  /** When the request came that made it. */
  readonly at: number;
  /** The message of a person that it answers, where the platform shows that. */
  readonly replyTo?: string;
}
/** A request of a bot, to the last byte that says something. */
export interface StageCall {
  readonly account: string;
  /** What it was: `sendMessage`, `POST /channels/1/messages`, `chat.postMessage`. */
  readonly method: string;
  /** What it does to a chat: puts a message there, changes one, shows a sign that goes by itself, or nothing. */
  readonly kind: 'send' | 'edit' | 'sign' | 'other';
  readonly chatId?: string;
  readonly words: string;
  readonly at: number;
  /** It was told to wait. */
  readonly isLimited: boolean;
}
/** Words and, with them, files: one after the other on a platform whose messages hold one each. */
export interface StageWords {
  readonly text: string;
  readonly files?: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

/** A platform for tests with people in private chats, the same for every platform: what is proved of one is proved of all. */
export interface ChatStage extends AsyncDisposable {
  readonly platform: 'telegram' | 'discord' | 'slack';
  /** What stands below `platforms.PLATFORM` in the settings. */
  readonly settings: JsonObject;
  readonly chats: readonly StageChat[];
  /** Chats of people whom the settings do not know. */
  readonly strangers: readonly StageChat[];
  /** Gives the id of the message. */
  say(chat: StageChat, words: StageWords): string;
  /** The person forwards what somebody else said elsewhere, without a comment. */
  forward(chat: StageChat, words: StageWords): string;
  /** The person writes another text in place of what they said. */
  edit(chat: StageChat, messageId: string, text: string): void;
  /** Presses a button of a message, the first when left out. */
  press(chat: StageChat, messageId: string, button?: number): void;
  /** What stands there for good: not what only one person sees until they look away. */
  ours(chat: StageChat): readonly StageMessage[];
  /** Of one chat when it is named. */
  calls(chat?: StageChat): readonly StageCall[];
  /** Connections on which the platform sends, of one account. */
  sockets(account: string): number;
  /** Cuts them, and nobody can connect until it is disposed. Without `resume` the session of before is forgotten, where there is one. */
  leave(how: { readonly resume: boolean }): Promise<AsyncDisposable>;
  /** Nothing reaches the bot on the connections it has, or on new ones either, until it is disposed; what it sends arrives. */
  deafen(account: string, which: 'existing' | 'all'): Disposable;
  /** The next send to a chat, or change of a message there, is told to wait so many seconds. */
  flood(chat: StageChat, what: 'send' | 'edit', seconds: number): void;
  /** Something happens to the next call to a chat, once; nothing that could leave a doubt whether a message is there. */
  disturb(chat: StageChat, how: Disturbance): void;
}
/** Told to wait a moment; a change that was made without an answer; a change that was not made. */
export type Disturbance = 'none' | 'limited' | 'edit_lost' | 'edit_failed';
export interface ChatStageOptions {
  readonly chats: number;
  readonly accounts?: readonly string[];
  readonly strangers?: number;
  /** How long a second of a platform's own timers is: polls, heartbeats, pings. A tenth of them or less when left out, where they are slow. */
  readonly secondMs?: number;
}
