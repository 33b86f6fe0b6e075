import { readNumberAt, readStringAt } from '../../base/json.ts';
import type { Json } from '../../base/json-types.ts';
import type {
  AdapterOptions,
  Chat,
  ChatPlace,
  ConnectOptions,
  ConnectResult,
  Cursor,
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
import { ChannelBook, isForum, takesThreads } from './channels.ts';
import { menuOf, publishMenu } from './commands.ts';
import { DiscordConnection } from './connection.ts';
import { downloadMedia } from './download.ts';
import type { DownloadTarget } from './exchange.ts';
import { EPHEMERAL } from './outbound.ts';
import { DiscordRest } from './rest.ts';
import { readResumePoint, readSession, type ResumePoint } from './resume-point.ts';
import { DiscordSender } from './sender.ts';
import { readSettings, type DiscordSettings } from './settings.ts';

const INTERACTION_TYPES = { command: 2, component: 3 } as const;
const CALLBACKS = { deferredMessage: 5, deferredUpdate: 6 } as const;

export class DiscordAdapter implements PlatformAdapter {
  readonly #settings: DiscordSettings;
  readonly #rest: DiscordRest;
  readonly #channels: ChannelBook;
  readonly #log: (words: string) => void;
  readonly #stop = new AbortController();
  readonly #sender: DiscordSender;
  #connection: DiscordConnection | undefined;

  constructor({ settings, log }: AdapterOptions) {
    this.#settings = readSettings(settings);
    this.#log = log;
    this.#rest = new DiscordRest(this.#settings);
    this.#channels = new ChannelBook(this.#rest);
    this.#sender = new DiscordSender({
      rest: this.#rest,
      channels: this.#channels,
      settings: this.#settings,
      closing: this.#stop.signal,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#connection?.[Symbol.asyncDispose]();
    this.#rest[Symbol.dispose]();
  }

  async connect({ resume, cursors, signal }: ConnectOptions): Promise<ConnectResult> {
    const from = readResumePoint(resume) ?? (this.#connection === undefined ? readSession(cursors) : undefined);
    const result = await this.#open(from, cursors, signal);
    // A session of a process before us that is over needs no pause: the fresh login follows at once.
    const isOver = from !== undefined && resume === undefined && result.type === 'failed' && result.kind === 'broken' && !result.resume;
    return isOver && !signal.aborted ? this.#open(undefined, cursors, signal) : result;
  }

  async #open(from: ResumePoint | undefined, cursors: readonly Cursor[], signal: AbortSignal): Promise<ConnectResult> {
    await this.#connection?.[Symbol.asyncDispose]();
    const found = from === undefined ? await this.#findGateway(signal) : ({ type: 'found', url: from.url } as const);
    if (found.type === 'failed') return found;
    const connection = new DiscordConnection(found.url, from, {
      rest: this.#rest,
      channels: this.#channels,
      settings: this.#settings,
      cursors,
      onInteraction: (data) => void this.#acknowledge(data),
      onThread: (id, plan) => this.#sender.planThread(id, plan),
    });
    this.#connection = connection;
    const end = () => void connection[Symbol.asyncDispose]();
    signal.addEventListener('abort', end, { once: true });
    void connection.ended.then(() => signal.removeEventListener('abort', end));
    if (signal.aborted) end();
    if (await connection.login()) return { type: 'connected', connection };
    await connection[Symbol.asyncDispose]();
    return { type: 'failed', ...(await connection.ended) };
  }

  async #findGateway(signal: AbortSignal): Promise<{ type: 'found'; url: string } | Extract<ConnectResult, { type: 'failed' }>> {
    if (this.#settings.gatewayUrl !== undefined) return { type: 'found', url: this.#settings.gatewayUrl };
    const answer = await this.#rest.call('GET', '/gateway/bot', { signal });
    const url = answer.type === 'ok' ? readStringAt(answer.body, 'url') : undefined;
    if (url !== undefined) return { type: 'found', url };
    if (answer.type === 'limited')
      return { type: 'failed', kind: 'broken', why: 'Discord wants fewer calls', retryAfterMs: answer.retryAfterMs };
    const why = 'why' in answer ? answer.why : 'Discord did not say where its gateway is';
    return { type: 'failed', kind: answer.type === 'refused' && answer.status === 401 ? 'refused' : 'broken', why };
  }

  /** Commands and presses must be heard of within three seconds, long before there is an answer. */
  async #acknowledge(data: Json): Promise<void> {
    const [id = '', token = ''] = [readStringAt(data, 'id'), readStringAt(data, 'token')];
    const isCommand = readNumberAt(data, 'type') === INTERACTION_TYPES.command;
    if (!isCommand && readNumberAt(data, 'type') !== INTERACTION_TYPES.component) return;
    // Only who gave the command sees that it is worked on; the answer is a message like any other, which can be sent just once.
    const body = isCommand ? { type: CALLBACKS.deferredMessage, data: { flags: EPHEMERAL } } : { type: CALLBACKS.deferredUpdate };
    const answer = await this.#rest.call('POST', `/interactions/${id}/${token}/callback`, { body, signal: this.#stop.signal });
    if (answer.type !== 'ok' && !this.#stop.signal.aborted)
      this.#log(`Discord did not take the acknowledgement of a command: ${explain(answer)}`);
  }

  send(message: OutboundMessage, signal: AbortSignal): Promise<SendResult> {
    return this.#sender.send(message, signal);
  }
  edit(message: OutboundEdit, signal: AbortSignal): Promise<SendResult> {
    return this.#sender.edit(message, signal);
  }
  remove(at: MessageRef, signal: AbortSignal): Promise<SendResult> {
    return this.#sender.remove(at, signal);
  }
  showTyping(place: ChatPlace, signal: AbortSignal): Promise<void> {
    return this.#sender.showTyping(place, signal);
  }
  react(at: MessageRef, reaction: Reaction, signal: AbortSignal): Promise<void> {
    return this.#sender.react(at, reaction, signal);
  }
  answerPress(handle: Json, words: string | undefined, signal: AbortSignal): Promise<void> {
    return this.#sender.answerPress(handle, words, signal);
  }
  download(media: InboundMedia, to: DownloadTarget, signal: AbortSignal): Promise<DownloadResult> {
    return downloadMedia(this.#rest, media, to, signal);
  }

  async listChats(signal: AbortSignal): Promise<readonly Chat[]> {
    const guilds = await this.#rest.call('GET', '/users/@me/guilds', { signal });
    const chats: Chat[] = [];
    for (const guild of guilds.type === 'ok' && Array.isArray(guilds.body) ? guilds.body : []) {
      const answer = await this.#rest.call('GET', `/guilds/${readStringAt(guild, 'id')}/channels`, { signal });
      for (const channel of answer.type === 'ok' && Array.isArray(answer.body) ? answer.body : []) chats.push(...listedChat(channel));
    }
    return chats;
  }

  async publishCommands(commands: readonly MenuCommand[], signal: AbortSignal): Promise<void> {
    if (!this.#settings.publishesCommands) return;
    const trouble = await publishMenu(this.#rest, menuOf(commands), signal);
    if (trouble !== undefined) this.#log(`Discord did not take the menu of commands: ${trouble}`);
  }
}

const explain = (answer: object): string => ('why' in answer ? String(answer.why) : 'too many calls');

function listedChat(channel: Json): Chat[] {
  const [chatId, type] = [readStringAt(channel, 'id'), readNumberAt(channel, 'type') ?? -1];
  const [name, topic] = [readStringAt(channel, 'name'), readStringAt(channel, 'topic')];
  if (chatId === undefined || !(takesThreads({ type }) || isForum({ type }))) return [];
  return [{ chatId, type: 'channel', ...(name !== undefined && { name }), ...(topic !== undefined && { topic }) }];
}
