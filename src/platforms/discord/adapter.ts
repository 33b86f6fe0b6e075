import { systemClock } from '../../base/clock.ts';
import { parseJson, readNumberAt, readStringAt } from '../../base/json.ts';
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
import { ChannelBook, isForum, isKnown, isThread, listAt, takesThreads } from './channels.ts';
import { menuOf, publishMenu } from './commands.ts';
import { DiscordConnection, SESSION_SCOPE, type ResumePoint } from './connection.ts';
import {
  editBody,
  messageBody,
  readInteractionHandle,
  readThreadPlan,
  sendResult,
  THREAD_EXISTS,
  UNKNOWN_CHANNEL,
  UNKNOWN_MESSAGE,
  type InteractionHandle,
  type ThreadPlan,
} from './outbound.ts';
import { DiscordRest } from './rest.ts';
import { readSettings, type DiscordSettings } from './settings.ts';

const SIGNS: Readonly<Record<Exclude<Reaction, 'none'>, string>> = { seen: '👀', done: '✅', failed: '❌' };
const INTERACTION_TYPES = { command: 2, component: 3 } as const;
const CALLBACKS = { deferredMessage: 5, deferredUpdate: 6 } as const;
const EPHEMERAL = 1 << 6;
const MAX_REMEMBERED = 1_000;
/** Discord lets signs through one by one, a quarter of a second apart. */
const MAX_SIGN_WAIT_MS = 1_000;

export class DiscordAdapter implements PlatformAdapter {
  readonly #settings: DiscordSettings;
  readonly #rest: DiscordRest;
  readonly #channels: ChannelBook;
  readonly #log: (words: string) => void;
  readonly #stop = new AbortController();
  /** Threads that are to be started with the first word in them. */
  readonly #plans = new Map<string, ThreadPlan>();
  /** Commands that got the first word of their answer, by their tokens. */
  readonly #answered = new Map<string, true>();
  #connection: DiscordConnection | undefined;

  constructor({ settings, log }: AdapterOptions) {
    this.#settings = readSettings(settings);
    this.#log = log;
    this.#rest = new DiscordRest(this.#settings);
    this.#channels = new ChannelBook(this.#rest);
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
      onThread: (id, plan) => remember(this.#plans, id, plan),
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

  async send(message: OutboundMessage, signal: AbortSignal): Promise<SendResult> {
    const target = message.threadId ?? message.chatId;
    const trouble = await this.#startThread(target, signal, readThreadPlan(message.handle));
    if (trouble !== undefined) return trouble;
    const interaction = readInteractionHandle(message.handle);
    const result = await this.#post(target, message, signal);
    if (interaction === undefined) return result;
    if (result.type === 'sent') void this.#endThinking(interaction);
    // A command may be given where we may not write; its answer is let through all the same.
    const followed = result.type === 'dead' ? await this.#followUp(interaction, message, signal) : result;
    return followed.type === 'refused' ? result : followed;
  }

  async #post(target: string, message: OutboundMessage, signal: AbortSignal): Promise<SendResult> {
    const channel = this.#channels.get(target);
    const body = messageBody(message, this.#settings);
    const file = message.content.type === 'media' ? { file: message.content.media } : {};
    if (channel !== undefined && isForum(channel)) return this.#postToForum(target, message, signal);
    const answer = await this.#rest.call('POST', `/channels/${target}/messages`, { body, signal, ...file });
    if (answer.type === 'ok') this.#channels.join(target);
    if (answer.type !== 'refused' || answer.code !== UNKNOWN_CHANNEL) return sendResult(answer);
    // The id may be a person's: then the words go to the private chat with them.
    const direct = await this.#rest.call('POST', '/users/@me/channels', { body: { recipient_id: target }, signal });
    const chatId = direct.type === 'ok' ? readStringAt(direct.body, 'id') : undefined;
    return chatId === undefined ? sendResult(answer) : { type: 'moved', to: { chatId } };
  }

  /** In a forum every message is a post of its own, with its first line as the title. */
  async #postToForum(target: string, message: OutboundMessage, signal: AbortSignal): Promise<SendResult> {
    const body = messageBody(message, this.#settings);
    const title = (readStringAt(body, 'content') ?? '').split('\n')[0]?.replace(/^#+ /, '').slice(0, 100).toWellFormed() ?? '';
    const post = { name: title === '' ? 'Message' : title, message: body };
    const file = message.content.type === 'media' ? { file: message.content.media } : {};
    const answer = await this.#rest.call('POST', `/channels/${target}/threads`, { body: post, signal, ...file });
    return sendResult(answer, answer.type === 'ok' ? readStringAt(answer.body, 'message', 'id') : undefined);
  }

  /** Starts the thread that was planned for an answer; one that is there already is as good. */
  async #startThread(id: string, signal: AbortSignal, given?: ThreadPlan): Promise<SendResult | undefined> {
    const plan = given ?? this.#plans.get(id);
    if (plan === undefined || this.#channels.get(id) !== undefined) return undefined;
    const body = { name: plan.name === '' ? 'Conversation' : plan.name, auto_archive_duration: 1_440 };
    const answer = await this.#rest.call('POST', `/channels/${plan.parent}/messages/${id}/threads`, { body, signal });
    const isThere = answer.type === 'ok' || (answer.type === 'refused' && answer.code === THREAD_EXISTS);
    if (answer.type === 'ok') this.#channels.add(answer.body ?? null);
    if (isThere) return void this.#plans.delete(id);
    // No right to start threads, or the message is gone: the channel itself is left.
    return answer.type === 'refused' ? { type: 'moved', to: { chatId: plan.parent } } : notSent(sendResult(answer));
  }

  /** The first word of an answer ends the "thinking" of the command it answers. After a while Discord ends it by itself. */
  async #endThinking({ app, token }: InteractionHandle): Promise<void> {
    if (this.#answered.has(token)) return;
    remember(this.#answered, token, true);
    await this.#rest.call('DELETE', `/webhooks/${app}/${token}/messages/@original`, { signal: this.#stop.signal });
  }

  async #followUp({ app, token }: InteractionHandle, message: OutboundMessage, signal: AbortSignal): Promise<SendResult> {
    const { content, components } = messageBody(message, this.#settings);
    const body = { content, ...(components !== undefined && { components }), allowed_mentions: this.#settings.allowedMentions };
    const file = message.content.type === 'media' ? { file: message.content.media } : {};
    return sendResult(await this.#rest.call('POST', `/webhooks/${app}/${token}`, { body, signal, ...file }));
  }

  async edit(message: OutboundEdit, signal: AbortSignal): Promise<SendResult> {
    const path = `/channels/${message.threadId ?? message.chatId}/messages/${message.messageId}`;
    const body = editBody(message, this.#settings);
    return sendResult(await this.#rest.call('PATCH', path, { body, signal }), message.messageId);
  }

  async remove(at: MessageRef, signal: AbortSignal): Promise<SendResult> {
    const path = `/channels/${at.threadId ?? at.chatId}/messages/${at.messageId}`;
    const answer = await this.#rest.call('DELETE', path, { signal });
    const isGone = answer.type === 'refused' && answer.code === UNKNOWN_MESSAGE;
    return isGone ? { type: 'sent', messageId: at.messageId } : sendResult(answer, at.messageId);
  }

  async showTyping(place: ChatPlace, signal: AbortSignal): Promise<void> {
    const target = place.threadId ?? place.chatId;
    if ((await this.#startThread(target, signal)) !== undefined) return;
    await this.#rest.call('POST', `/channels/${target}/typing`, { signal });
  }

  async react(at: MessageRef, reaction: Reaction, signal: AbortSignal): Promise<void> {
    const channelId = await this.#channelOfMessage(at, signal);
    const path = `/channels/${channelId}/messages/${at.messageId}/reactions`;
    const set = async (method: 'PUT' | 'DELETE', sign: string): Promise<void> => {
      const change = () => this.#rest.call(method, `${path}/${encodeURIComponent(sign)}/@me`, { signal });
      const answer = await change();
      if (answer.type !== 'limited' || answer.retryAfterMs > MAX_SIGN_WAIT_MS) return;
      await systemClock.sleep(answer.retryAfterMs, signal);
      await change();
    };
    if (reaction !== 'none') await set('PUT', SIGNS[reaction]);
    if (reaction !== 'seen') await set('DELETE', SIGNS.seen);
  }

  /** The message that a thread hangs on stands in the channel of the thread. */
  async #channelOfMessage({ chatId, threadId, messageId }: MessageRef, signal: AbortSignal): Promise<string> {
    const target = threadId ?? chatId;
    if (target !== messageId) return target;
    const planned = this.#plans.get(target)?.parent;
    if (planned !== undefined) return planned;
    const found = await this.#channels.find(target, signal);
    return isKnown(found) && isThread(found) ? (found.parentId ?? target) : target;
  }

  async answerPress(handle: Json, words: string | undefined, signal: AbortSignal): Promise<void> {
    const interaction = readInteractionHandle(handle);
    if (interaction === undefined || words === undefined || words === '') return;
    const body = { content: words, flags: EPHEMERAL };
    await this.#rest.call('POST', `/webhooks/${interaction.app}/${interaction.token}`, { body, signal });
  }

  async download(
    media: InboundMedia,
    to: { readonly path: string; readonly maxBytes: number },
    signal: AbortSignal,
  ): Promise<DownloadResult> {
    if (media.bytes !== undefined && media.bytes > to.maxBytes) return { type: 'too_large' };
    const loaded = await this.#rest.download(readStringAt(media.handle, 'url') ?? '', to, signal);
    if (loaded.type !== 'failed' || loaded.retry) return loaded;
    const fresh = await this.#freshUrl(media, signal);
    return fresh === undefined ? loaded : this.#rest.download(fresh, to, signal);
  }

  /** Addresses of files expire; the message tells the one of today. */
  async #freshUrl({ handle }: InboundMedia, signal: AbortSignal): Promise<string | undefined> {
    const path = `/channels/${readStringAt(handle, 'channel')}/messages/${readStringAt(handle, 'message')}`;
    const answer = await this.#rest.call('GET', path, { signal });
    if (answer.type !== 'ok') return undefined;
    const found = listAt(answer.body, 'attachments').find((each) => readStringAt(each, 'id') === readStringAt(handle, 'id'));
    return readStringAt(found, 'url');
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

/** What came of a call that only prepares the send: the message itself is surely not there. */
const notSent = (result: SendResult): SendResult => (result.type === 'unknown' ? { type: 'not_sent', why: result.why } : result);

const explain = (answer: object): string => ('why' in answer ? String(answer.why) : 'too many calls');

/** Keeps the newest. */
function remember<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  kept.set(key, value);
  for (const [oldest] of kept) {
    if (kept.size <= MAX_REMEMBERED) return;
    kept.delete(oldest);
  }
}

const readSession = (cursors: readonly Cursor[]): ResumePoint | undefined =>
  readResumePoint(parseJson(cursors.find(({ scope }) => scope === SESSION_SCOPE)?.value ?? ''));

function readResumePoint(resume: Json | undefined): ResumePoint | undefined {
  const [session, url, id] = [readStringAt(resume, 'session'), readStringAt(resume, 'url'), readStringAt(resume, 'account', 'id')];
  const [seq, tries] = [readNumberAt(resume, 'seq'), readNumberAt(resume, 'tries')];
  if (session === undefined || url === undefined || id === undefined || seq === undefined || tries === undefined) return undefined;
  return { session, url, seq, tries, account: { id, name: readStringAt(resume, 'account', 'name') ?? '' } };
}

function listedChat(channel: Json): Chat[] {
  const [chatId, type] = [readStringAt(channel, 'id'), readNumberAt(channel, 'type') ?? -1];
  const [name, topic] = [readStringAt(channel, 'name'), readStringAt(channel, 'topic')];
  if (chatId === undefined || !(takesThreads({ type }) || isForum({ type }))) return [];
  return [{ chatId, type: 'channel', ...(name !== undefined && { name }), ...(topic !== undefined && { topic }) }];
}
