import { isObject, readStringAt } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import { badRequest } from './api-error.ts';
import type { BotMethod, MethodCall } from './call.ts';
import { chatWire, userWire, type TelegramBotAccount } from './model.ts';
import type { TelegramParams } from './params.ts';
import { REACTIONS } from './reactions.ts';
import { editMarkup, editText, sendAlbum, sendMedia, sendText } from './send.ts';
import { findMessage } from './world.ts';

const MAX_POLL_SECONDS = 50;
/** What a bot may fetch; the rest is for the people's own programs. */
const MAX_DOWNLOAD_BYTES = 20 * 1024 * 1024;
const ACTIONS: ReadonlySet<string> = new Set([
  'typing',
  'upload_photo',
  'record_video',
  'upload_video',
  'record_voice',
  'upload_voice',
  'upload_document',
  'choose_sticker',
  'find_location',
  'record_video_note',
  'upload_video_note',
]);

/** By name in lower case: the real server does not mind the case either. */
export const METHODS: ReadonlyMap<string, BotMethod> = new Map(
  Object.entries({
    getMe,
    getUpdates,
    setWebhook,
    deleteWebhook,
    getWebhookInfo,
    sendMessage: sendText,
    sendPhoto: (call) => sendMedia(call, 'photo'),
    sendDocument: (call) => sendMedia(call, 'document'),
    sendVoice: (call) => sendMedia(call, 'voice'),
    sendAudio: (call) => sendMedia(call, 'audio'),
    sendVideo: (call) => sendMedia(call, 'video'),
    sendMediaGroup: sendAlbum,
    editMessageText: (call) => editText(call, 'text'),
    editMessageCaption: (call) => editText(call, 'caption'),
    editMessageReplyMarkup: editMarkup,
    deleteMessage,
    answerCallbackQuery,
    sendChatAction,
    setMessageReaction,
    setMyCommands,
    getMyCommands,
    deleteMyCommands,
    getFile,
    getChat,
    getChatMember,
    createForumTopic,
  } satisfies Record<string, BotMethod>).map(([name, method]) => [name.toLowerCase(), method]),
);

function getMe({ bot }: MethodCall): Json {
  return { ...userWire(bot), can_join_groups: true, can_read_all_group_messages: !bot.privacy, supports_inline_queries: false };
}

async function getUpdates({ world, bot, params, request, signal }: MethodCall): Promise<Json> {
  const queue = world.queueOf(bot);
  queue.allowed = listOf(params.json('allowed_updates')) ?? queue.allowed;
  const limit = Math.min(100, Math.max(1, params.number('limit') ?? 100));
  const timeoutMs = Math.min(MAX_POLL_SECONDS, params.number('timeout') ?? 0) * 1000;
  return await queue.poll({ offset: params.number('offset') ?? 0, limit, timeoutMs, request, signal });
}

function setWebhook({ world, bot, params }: MethodCall): Json {
  const queue = world.queueOf(bot);
  const url = params.text('url') ?? '';
  const secret = params.text('secret_token');
  if (url !== '' && !/^https?:\/\//.test(url)) throw badRequest('bad webhook: An HTTPS URL must be provided for webhook');
  if (secret !== undefined && !/^[\w-]{1,256}$/.test(secret)) throw badRequest('secret token contains unallowed characters');
  queue.allowed = listOf(params.json('allowed_updates')) ?? queue.allowed;
  if (params.isTrue('drop_pending_updates')) queue.drop();
  queue.setWebhook(url === '' ? undefined : { url, ...(secret !== undefined && { secret }) });
  return true;
}

function deleteWebhook({ world, bot, params }: MethodCall): Json {
  if (params.isTrue('drop_pending_updates')) world.queueOf(bot).drop();
  world.queueOf(bot).setWebhook(undefined);
  return true;
}

function getWebhookInfo({ world, bot }: MethodCall): Json {
  const { webhook, webhookFailure, pending, allowed } = world.queueOf(bot);
  return {
    url: webhook?.url ?? '',
    has_custom_certificate: false,
    pending_update_count: pending,
    ...(webhookFailure && { last_error_date: Math.floor(webhookFailure.at / 1000), last_error_message: webhookFailure.message }),
    ...(allowed.length > 0 && { allowed_updates: allowed }),
  };
}

function deleteMessage({ world, bot, params }: MethodCall): Json {
  const message = findMessage(world.chatFor(bot, params.text('chat_id')), params.number('message_id'));
  if (message === undefined) throw badRequest('message to delete not found');
  if (message.chat.type === 'group' && message.from.id !== bot.id) throw badRequest("message can't be deleted");
  message.deletedAt = world.now();
  return true;
}

function answerCallbackQuery({ world, bot, params, request }: MethodCall): Json {
  const press = world.presses.find(({ id, bot: asked }) => id === params.text('callback_query_id') && asked === bot.id);
  if (press === undefined) throw badRequest('query is too old and response timeout expired or query ID is invalid');
  press.answer = { text: params.text('text') ?? '', alert: params.isTrue('show_alert'), request };
  return true;
}

function sendChatAction({ world, bot, params }: MethodCall): Json {
  const chat = world.chatFor(bot, params.text('chat_id'));
  const action = params.text('action') ?? '';
  const topic = params.number('message_thread_id');
  if (!ACTIONS.has(action)) throw badRequest('wrong parameter action in request');
  if (topic !== undefined && topic !== 1 && !chat.topics.has(topic)) throw badRequest('message thread not found');
  chat.actions.push({ action, at: world.now(), ...(topic !== undefined && { topic }) });
  return true;
}

function setMessageReaction({ world, bot, params }: MethodCall): Json {
  const message = findMessage(world.chatFor(bot, params.text('chat_id')), params.number('message_id'));
  if (message === undefined) throw badRequest('message to react not found');
  const given = params.json('reaction');
  const emoji = (Array.isArray(given) ? given : []).map((each: Json) => readStringAt(each, 'emoji') ?? '');
  if (emoji.some((each) => !REACTIONS.has(each))) throw badRequest('REACTION_INVALID');
  if (emoji.length > 1) throw badRequest('REACTIONS_TOO_MANY');
  message.reactions.set(bot.id, emoji);
  return true;
}

/** Menus are kept per scope and language. */
const menuKey = (bot: TelegramBotAccount, params: TelegramParams): string =>
  JSON.stringify([bot.id, params.json('scope') ?? { type: 'default' }, params.text('language_code') ?? '']);

function setMyCommands({ world, bot, params }: MethodCall): Json {
  const commands = params.json('commands');
  if (!Array.isArray(commands)) throw badRequest("can't parse commands list JSON object");
  if (commands.length > 100) throw badRequest('BOT_COMMANDS_TOO_MUCH');
  for (const each of commands) {
    if (!/^[a-z0-9_]{1,32}$/.test(readStringAt(each, 'command') ?? '')) throw badRequest('BOT_COMMAND_INVALID');
    const length = (readStringAt(each, 'description') ?? '').length;
    if (length < 1 || length > 256) throw badRequest('BOT_COMMAND_DESCRIPTION_INVALID');
  }
  world.commands.set(menuKey(bot, params), commands);
  return true;
}

function getMyCommands({ world, bot, params }: MethodCall): Json {
  return world.commands.get(menuKey(bot, params)) ?? [];
}

function deleteMyCommands({ world, bot, params }: MethodCall): Json {
  world.commands.delete(menuKey(bot, params));
  return true;
}

function getFile({ world, params }: MethodCall): Json {
  const file = world.files.byId(params.text('file_id') ?? '');
  if (file === undefined) throw badRequest('wrong file_id or the file is temporarily unavailable');
  if (file.bytes.length > MAX_DOWNLOAD_BYTES) throw badRequest('file is too big');
  return { file_id: file.id, file_unique_id: file.id, file_size: file.bytes.length, file_path: file.path };
}

function getChat({ world, bot, params }: MethodCall): Json {
  return { ...chatWire(world.chatFor(bot, params.text('chat_id'))), accent_color_id: 0, max_reaction_count: 11 } satisfies JsonObject;
}

function getChatMember({ world, bot, params }: MethodCall): Json {
  const member = world.chatFor(bot, params.text('chat_id')).members.get(params.number('user_id') ?? 0);
  if (member === undefined) throw badRequest('PARTICIPANT_ID_INVALID');
  return { status: 'member', user: userWire(member) };
}

function createForumTopic({ world, bot, params, request }: MethodCall): Json {
  const chat = world.chatFor(bot, params.text('chat_id'));
  const name = params.text('name') ?? '';
  if (!chat.isForum) throw badRequest('the chat is not a forum');
  if (name === '') throw badRequest('topic name is empty');
  const topic = { name, icon_color: 0x6fb9f0 };
  const { id } = world.add(chat, { from: bot, text: '', content: { forum_topic_created: topic }, request });
  chat.topics.set(id, name);
  return { message_thread_id: id, ...topic };
}

const listOf = (value: Json | undefined): string[] | undefined =>
  Array.isArray(value) && !isObject(value) ? value.map(String) : undefined;
