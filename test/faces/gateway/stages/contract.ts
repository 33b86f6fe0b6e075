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
}
/** A request of a bot, to the last byte that says something. */
export interface StageCall {
  readonly account: string;
  /** What it was: `sendMessage`, `POST /channels/1/messages`, `chat.postMessage`. */
  readonly method: string;
  readonly chatId?: string;
  readonly words: string;
  readonly at: number;
}
/** Words and, with them, a file. */
export interface StageWords {
  readonly text: string;
  readonly file?: { readonly name: string; readonly bytes: Uint8Array };
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
  /** Presses the first button of a message. */
  press(chat: StageChat, messageId: string): void;
  ours(chat: StageChat): readonly StageMessage[];
  calls(): readonly StageCall[];
  /** Connections on which the platform sends, of one account. */
  sockets(account: string): number;
  /** Cuts them, and nobody can connect until it is disposed. Without `resume` the session of before is forgotten, where there is one. */
  leave(how: { readonly resume: boolean }): Promise<AsyncDisposable>;
  /** Sends to a chat are refused for so many seconds, as often as they are tried. */
  flood(chat: StageChat, seconds: number): Disposable;
  /** Something happens to the next call to a chat, once; nothing that could leave a doubt whether a message is there. */
  disturb(chat: StageChat, how: Disturbance): void;
}
/** Told to wait a moment; a change that was made without an answer; a change that was not made. */
export type Disturbance = 'none' | 'limited' | 'edit_lost' | 'edit_failed';
export interface ChatStageOptions {
  readonly chats: number;
  readonly accounts?: readonly string[];
  readonly strangers?: number;
}
