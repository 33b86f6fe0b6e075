import { systemClock } from '../../base/clock.ts';
import { readStringAt } from '../../base/json.ts';
import type { Json } from '../../base/json-types.ts';
import { isReadable } from '../../base/readable.ts';
import type {
  ChatPlace,
  FindSentResult,
  MessageRef,
  OutboundEdit,
  OutboundMessage,
  Reaction,
  SendResult,
} from '../../contracts/platform-adapter.ts';
import { isForum, isKnown, isThread, type ChannelBook } from './channels.ts';
import {
  editBody,
  EPHEMERAL,
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
import type { DiscordRest } from './rest.ts';
import type { DiscordSettings } from './settings.ts';

const SIGNS: Readonly<Record<Exclude<Reaction, 'none'>, string>> = { seen: '👀', done: '✅', failed: '❌' };
/** Discord lets signs through one by one, a quarter of a second apart. */
const MAX_SIGN_WAIT_MS = 1_000;
const MAX_REMEMBERED = 1_000;

export interface DiscordSenderDeps {
  readonly rest: DiscordRest;
  readonly channels: ChannelBook;
  readonly settings: DiscordSettings;
  /** Ends with the adapter. */
  readonly closing: AbortSignal;
}

/** Everything that goes out: messages, their changes, signs and words for who pressed a button. */
export class DiscordSender {
  readonly #rest: DiscordRest;
  readonly #channels: ChannelBook;
  readonly #settings: DiscordSettings;
  readonly #closing: AbortSignal;
  /** Threads that are to be started with the first word in them, and those that were. */
  readonly #plans = new Map<string, ThreadPlan>();
  readonly #started = new Map<string, true>();
  /** Commands that got the first word of their answer, by their tokens. */
  readonly #answered = new Map<string, true>();

  constructor({ rest, channels, settings, closing }: DiscordSenderDeps) {
    this.#rest = rest;
    this.#channels = channels;
    this.#settings = settings;
    this.#closing = closing;
  }

  /** A message is to be answered in a thread of its own. */
  planThread(id: string, plan: ThreadPlan): void {
    remember(this.#plans, id, plan);
  }

  async send(message: OutboundMessage, signal: AbortSignal): Promise<SendResult> {
    const target = message.threadId ?? message.chatId;
    // Nobody brings it back: another try would fail as well.
    if (message.content.type === 'media' && !(await isReadable(message.content.media.path)))
      return { type: 'refused', why: 'the file could not be read' };
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

  /** Neither a post in a forum nor an answer to a command where we may not write has a nonce that Discord heeds. */
  async findSent(message: OutboundMessage, signal: AbortSignal): Promise<FindSentResult> {
    const target = message.threadId ?? message.chatId;
    const channel = await this.#channels.find(target, signal);
    if (isKnown(channel) && isForum(channel)) return { type: 'untold' };
    if (readInteractionHandle(message.handle) === undefined) return { type: 'absent' };
    // To show that we type takes the same permission as to write.
    const typing = sendResult(await this.#rest.call('POST', `/channels/${target}/typing`, { signal }), '');
    return { type: typing.type === 'dead' ? 'untold' : 'absent' };
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
    if (plan === undefined || this.#started.has(id) || this.#channels.get(id) !== undefined) return undefined;
    const body = { name: plan.name === '' ? 'Conversation' : plan.name, auto_archive_duration: 1_440 };
    const answer = await this.#rest.call('POST', `/channels/${plan.parent}/messages/${id}/threads`, { body, signal });
    const isThere = answer.type === 'ok' || (answer.type === 'refused' && answer.code === THREAD_EXISTS);
    if (answer.type === 'ok') this.#channels.add(answer.body ?? null);
    if (isThere) return remember(this.#started, id, true);
    // No right to start threads, or the message is gone: the channel itself is left.
    return answer.type === 'refused' ? { type: 'moved', to: { chatId: plan.parent } } : notSent(sendResult(answer));
  }

  /** The first word of an answer ends the "thinking" of the command it answers. After a while Discord ends it by itself. */
  async #endThinking({ app, token }: InteractionHandle): Promise<void> {
    if (this.#answered.has(token)) return;
    remember(this.#answered, token, true);
    await this.#rest.call('DELETE', `/webhooks/${app}/${token}/messages/@original`, { signal: this.#closing });
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
}

/** What came of a call that only prepares the send: the message itself is surely not there. */
const notSent = (result: SendResult): SendResult => (result.type === 'unknown' ? { type: 'not_sent', why: result.why } : result);

/** Keeps the newest. */
function remember<Value>(kept: Map<string, Value>, key: string, value: Value): undefined {
  kept.set(key, value);
  for (const [oldest] of kept) {
    if (kept.size <= MAX_REMEMBERED) return;
    kept.delete(oldest);
  }
}
