import { readNumberAt, readStringAt } from '../../base/json.ts';
import type {
  AdapterOptions,
  ConnectionEnd,
  ConnectOptions,
  ConnectResult,
  MessageRef,
  PlatformAdapter,
  Reaction,
  SendResult,
} from '../../contracts/platform-adapter.ts';
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

/** What outlives a connection. */
interface TelegramState {
  readonly options: AdapterOptions;
  readonly settings: TelegramSettings;
  connection?: TelegramConnection;
}

export function openTelegramAdapter(options: AdapterOptions): PlatformAdapter {
  const settings = readSettings(options.settings, options.log);
  const client = new TelegramClient(settings);
  const state: TelegramState = { options, settings };
  const sending = (signal: AbortSignal): TelegramSendDeps => ({ client, settings, signal });
  return {
    connect: (wanted) => connect(state, wanted),
    send: (message, signal) => sendMessage(message, sending(signal)),
    edit: (message, signal) => editMessage(message, sending(signal)),
    remove: (at, signal) => removeMessage(at, client, signal),
    showTyping: async (place, signal) => {
      await client.call('sendChatAction', { chat_id: place.chatId, ...topicOf(place), action: 'typing' }, { signal });
    },
    react: async ({ chatId, messageId }, reaction, signal) => {
      const emoji = REACTIONS[reaction].map((each) => ({ type: 'emoji', emoji: each }));
      await client.call('setMessageReaction', { chat_id: chatId, message_id: Number(messageId), reaction: emoji }, { signal });
    },
    answerPress: async (handle, words, signal) => {
      const params = { callback_query_id: handle, ...(words !== undefined && { text: words.slice(0, MAX_PRESS_WORDS) }) };
      await client.call('answerCallbackQuery', params, { signal });
    },
    download: (media, to, signal) => downloadFile(client, media, { ...to, signal }),
    publishCommands: (commands, signal) => publishMenu(client, commands, signal),
    // Whatever is under way ends with it.
    [Symbol.asyncDispose]: async () => {
      await state.connection?.[Symbol.asyncDispose]();
      client[Symbol.dispose]();
    },
  };
}

async function connect(state: TelegramState, { signal }: ConnectOptions): Promise<ConnectResult> {
  const { options, settings } = state;
  await state.connection?.[Symbol.asyncDispose]();
  // Receiving has a client of its own: nothing that is sent can be in its way, and closing it leaves nothing open.
  const receiver = new TelegramClient(settings);
  const me = await login(receiver, settings, signal);
  if ('why' in me) {
    receiver[Symbol.dispose]();
    return { type: 'failed', ...toEnd(me) };
  }
  state.connection = new TelegramConnection({
    identity: { id: String(me.id), name: me.username },
    context: { me, gate: settings.gate },
    signal,
    log: options.log,
    isCalled: settings.webhook !== undefined,
    receive: (loop) => receive(receiver, state, loop),
    onEnd: () => receiver[Symbol.dispose](),
  });
  return { type: 'connected', connection: state.connection };
}

async function login(
  receiver: TelegramClient,
  { webhook }: TelegramSettings,
  signal: AbortSignal,
): Promise<{ readonly id: number; readonly username: string } | ApiFailure> {
  const options = { signal, timeoutMs: CONNECT_MS };
  const me = await receiver.call('getMe', {}, options);
  if (me.type !== 'ok') return me;
  if (webhook === undefined) {
    // A webhook that was set once keeps every poll away.
    const removed = await receiver.call('deleteWebhook', {}, options);
    if (removed.type !== 'ok') return removed;
  }
  return { id: readNumberAt(me.result, 'id') ?? 0, username: readStringAt(me.result, 'username') ?? '' };
}

async function receive(
  receiver: TelegramClient,
  { options, settings }: TelegramState,
  loop: ReceiveLoop,
): Promise<ConnectionEnd | undefined> {
  const { webhook, pollSeconds } = settings;
  if (webhook === undefined) return await poll(receiver, settings, loop);
  const { listen } = options;
  if (listen === undefined) return { kind: 'broken', why: 'nothing listens here for the webhook of Telegram' };
  return await listenToWebhook(receiver, webhook, { pollSeconds, listen, loop });
}

async function removeMessage({ chatId, messageId }: MessageRef, client: TelegramClient, signal: AbortSignal): Promise<SendResult> {
  const answer = await client.call('deleteMessage', { chat_id: chatId, message_id: Number(messageId) }, { signal });
  const isGone = answer.type === 'refused' && /message to delete not found/i.test(answer.why);
  return isGone ? { type: 'sent', messageId } : toResult(answer, messageId);
}
