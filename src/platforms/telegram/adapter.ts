import { readNumberAt, readStringAt } from '../../base/json.ts';
import type {
  AdapterOptions,
  ChatPlace,
  ConnectOptions,
  ConnectResult,
  DownloadResult,
  InboundMedia,
  MenuCommand,
  MessageRef,
  OutboundEdit,
  OutboundMessage,
  PlatformAdapter,
  Reaction,
  SendResult,
} from '../../contracts/platform-adapter.ts';
import type { Json } from '../../base/json-types.ts';
import { TelegramClient, type ApiFailure } from './client.ts';
import { publishMenu } from './commands.ts';
import { TelegramConnection, toEnd, type ReceiveLoop } from './connection.ts';
import { downloadFile } from './download.ts';
import { poll } from './polling.ts';
import { editMessage, sendMessage, topicOf, toResult, type TelegramSendDeps } from './send.ts';
import { readSettings, type TelegramSettings } from './settings.ts';
import { listenToWebhook } from './webhook.ts';

/** What Telegram allows bots to react with, by what it is to say. */
const REACTIONS: Readonly<Record<Reaction, readonly string[]>> = { seen: ['👀'], done: ['👍'], failed: ['👎'], none: [] };
const CONNECT_MS = 10_000;
const MAX_PRESS_WORDS = 200;

export class TelegramAdapter implements PlatformAdapter {
  readonly #options: AdapterOptions;
  readonly #settings: TelegramSettings;
  readonly #client: TelegramClient;
  #connection: TelegramConnection | undefined;

  constructor(options: AdapterOptions) {
    this.#options = options;
    this.#settings = readSettings(options.settings, options.log);
    this.#client = new TelegramClient(this.#settings);
  }

  async connect({ signal }: ConnectOptions): Promise<ConnectResult> {
    await this.#connection?.[Symbol.asyncDispose]();
    // Receiving has a line of its own: nothing that is sent can be in its way, and closing it leaves nothing open.
    const line = new TelegramClient(this.#settings);
    const me = await this.#login(line, signal);
    if ('why' in me) {
      line[Symbol.dispose]();
      return { type: 'failed', ...toEnd(me) };
    }
    this.#connection = new TelegramConnection({
      identity: { id: String(me.id), name: me.username },
      context: { me, gate: this.#settings.gate },
      signal,
      log: this.#options.log,
      receive: (loop) => this.#receive(line, loop),
      onEnd: () => line[Symbol.dispose](),
    });
    return { type: 'connected', connection: this.#connection };
  }

  async #login(line: TelegramClient, signal: AbortSignal): Promise<{ readonly id: number; readonly username: string } | ApiFailure> {
    const options = { signal, timeoutMs: CONNECT_MS };
    const me = await line.call('getMe', {}, options);
    if (me.type !== 'ok') return me;
    if (this.#settings.webhook === undefined) {
      // A webhook that was set once keeps every poll away.
      const removed = await line.call('deleteWebhook', {}, options);
      if (removed.type !== 'ok') return removed;
    }
    return { id: readNumberAt(me.result, 'id') ?? 0, username: readStringAt(me.result, 'username') ?? '' };
  }

  async #receive(line: TelegramClient, loop: ReceiveLoop): Promise<ApiFailure | undefined> {
    const { webhook, pollSeconds } = this.#settings;
    if (webhook === undefined) return await poll(line, this.#settings, loop);
    const { listen } = this.#options;
    if (listen === undefined) return { type: 'unreached', why: 'nothing listens here for the webhook of Telegram' };
    return await listenToWebhook(line, webhook, { pollSeconds, listen, loop });
  }

  send(message: OutboundMessage, signal: AbortSignal): Promise<SendResult> {
    return sendMessage(message, this.#sending(signal));
  }
  edit(message: OutboundEdit, signal: AbortSignal): Promise<SendResult> {
    return editMessage(message, this.#sending(signal));
  }
  async remove({ chatId, messageId }: MessageRef, signal: AbortSignal): Promise<SendResult> {
    const params = { chat_id: chatId, message_id: Number(messageId) };
    const answer = await this.#client.call('deleteMessage', params, { signal });
    const isGone = answer.type === 'refused' && /message to delete not found/i.test(answer.why);
    return isGone ? { type: 'sent', messageId } : toResult(answer, messageId);
  }

  async showTyping(place: ChatPlace, signal: AbortSignal): Promise<void> {
    await this.#client.call('sendChatAction', { chat_id: place.chatId, ...topicOf(place), action: 'typing' }, { signal });
  }
  async react({ chatId, messageId }: MessageRef, reaction: Reaction, signal: AbortSignal): Promise<void> {
    const emoji = REACTIONS[reaction].map((each) => ({ type: 'emoji', emoji: each }));
    const params = { chat_id: chatId, message_id: Number(messageId), reaction: emoji };
    await this.#client.call('setMessageReaction', params, { signal });
  }
  async answerPress(handle: Json, words: string | undefined, signal: AbortSignal): Promise<void> {
    const params = { callback_query_id: handle, ...(words !== undefined && { text: words.slice(0, MAX_PRESS_WORDS) }) };
    await this.#client.call('answerCallbackQuery', params, { signal });
  }

  download(media: InboundMedia, to: { readonly path: string; readonly maxBytes: number }, signal: AbortSignal): Promise<DownloadResult> {
    return downloadFile(this.#client, media, { ...to, signal });
  }
  async publishCommands(commands: readonly MenuCommand[], signal: AbortSignal): Promise<void> {
    await publishMenu(this.#client, commands, signal);
  }

  /** Whatever is under way ends with it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection?.[Symbol.asyncDispose]();
    this.#client[Symbol.dispose]();
  }

  #sending(signal: AbortSignal): TelegramSendDeps {
    return { client: this.#client, settings: this.#settings, signal };
  }
}
