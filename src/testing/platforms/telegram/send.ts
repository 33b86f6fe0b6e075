import { isObject, readNumberAt, readPath, readStringAt, toStableJson } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import { badRequest } from './api-error.ts';
import type { MethodCall } from './call.ts';
import { parseEntities, type ParsedText } from './entities.ts';
import { EntityError } from './entity-error.ts';
import type { TelegramMediaKind } from './files.ts';
import { messageWire, type TelegramChatState, type TelegramMessageState } from './model.ts';
import { TelegramParams, type TelegramUpload } from './params.ts';
import { findMessage } from './world.ts';

const MAX_UNITS = { text: 4096, caption: 1024 };
const MAX_BUTTON_BYTES = 64;

export function sendText(call: MethodCall): Json {
  const chat = call.world.chatFor(call.bot, call.params.text('chat_id'));
  const place = placeOf(chat, call.params);
  const parsed = parsedText(call.params, 'text');
  if (parsed.text === '') throw badRequest('message text is empty');
  return messageWire(post(call, chat, parsed.text, { ...place, ...worded('text', parsed), ...markupOf(call.params) }));
}

export function sendMedia(call: MethodCall, kind: TelegramMediaKind): Json {
  const chat = call.world.chatFor(call.bot, call.params.text('chat_id'));
  const place = placeOf(chat, call.params);
  const parsed = parsedText(call.params, 'caption');
  const media = mediaOf(call, kind, call.params.text(kind) ?? '', call.params.upload(kind));
  return messageWire(post(call, chat, parsed.text, { ...place, ...media, ...worded('caption', parsed), ...markupOf(call.params) }));
}

export function sendAlbum(call: MethodCall): Json {
  const chat = call.world.chatFor(call.bot, call.params.text('chat_id'));
  const place = placeOf(chat, call.params);
  const items = call.params.json('media');
  if (!Array.isArray(items) || items.length < 2 || items.length > 10) throw badRequest('wrong number of media in the album');
  const album = { media_group_id: `album-${call.request}` };
  const parts = items.map((item: Json) => {
    const own = new TelegramParams(isObject(item) ? item : {}, call.params.files);
    const parsed = parsedText(own, 'caption');
    const media = mediaOf(call, kindOf(readStringAt(item, 'type')), own.text('media') ?? '', own.upload('media'));
    return { text: parsed.text, content: { ...place, ...album, ...media, ...worded('caption', parsed) } };
  });
  return parts.map(({ text, content }) => messageWire(post(call, chat, text, content)));
}

export function editText(call: MethodCall, field: 'text' | 'caption'): Json {
  const message = editable(call);
  if (field === 'text' && message.body['text'] === undefined) throw badRequest('there is no text in the message to edit');
  const parsed = parsedText(call.params, field);
  if (field === 'text' && parsed.text === '') throw badRequest('message text is empty');
  return change(call, message, { [`${field}_entities`]: undefined, entities: undefined, ...worded(field, parsed) }, parsed.text);
}

export function editMarkup(call: MethodCall): Json {
  const message = editable(call);
  return change(call, message, {}, message.versions.at(-1)?.text ?? '');
}

function editable({ world, bot, params }: MethodCall): TelegramMessageState {
  const message = findMessage(world.chatFor(bot, params.text('chat_id')), params.number('message_id'));
  if (message === undefined) throw badRequest('message to edit not found');
  if (message.from.id !== bot.id) throw badRequest("message can't be edited");
  return message;
}

/** An edit that names no buttons takes them away. */
function change(call: MethodCall, message: TelegramMessageState, content: JsonObject, text: string): Json {
  const next = { reply_markup: undefined, ...content, ...markupOf(call.params) };
  const { edit_date: _, ...before } = message.body;
  if (toStableJson(before) === toStableJson({ ...before, ...next }))
    throw badRequest(
      'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    );
  call.world.edit(message, next, { text, request: call.request });
  return messageWire(message);
}

const post = (call: MethodCall, chat: TelegramChatState, text: string, content: JsonObject): TelegramMessageState =>
  call.world.add(chat, { from: call.bot, text, content, request: call.request });

function parsedText(params: TelegramParams, field: 'text' | 'caption'): ParsedText {
  const given = params.json(field === 'text' ? 'entities' : 'caption_entities');
  const source = params.text(field) ?? '';
  let parsed: ParsedText | undefined;
  try {
    parsed = parseEntities(source, params.text('parse_mode'));
  } catch (error) {
    if (!(error instanceof EntityError)) throw error;
    throw badRequest(`can't parse entities: ${error.message}`);
  }
  if (parsed === undefined) throw badRequest('unsupported parse_mode');
  if (parsed.text.length > MAX_UNITS[field]) throw badRequest(field === 'text' ? 'message is too long' : 'message caption is too long');
  return Array.isArray(given) ? { text: parsed.text, entities: given.filter(isObject) } : parsed;
}

const worded = (field: 'text' | 'caption', { text, entities }: ParsedText): JsonObject =>
  text === '' ? {} : { [field]: text, ...(entities.length > 0 && { [field === 'text' ? 'entities' : 'caption_entities']: entities }) };

/** Where in the chat it stands: the topic, and the message it answers. */
function placeOf(chat: TelegramChatState, params: TelegramParams): JsonObject {
  const topic = params.number('message_thread_id');
  // The General topic has no number on the wire: naming it is refused.
  if (topic !== undefined && !chat.topics.has(topic)) throw badRequest('message thread not found');
  const reply = params.json('reply_parameters');
  const target = readNumberAt(reply, 'message_id') ?? params.number('reply_to_message_id');
  const answered = target === undefined ? undefined : findMessage(chat, target);
  const mayMiss = readPath(reply, 'allow_sending_without_reply') === true || params.isTrue('allow_sending_without_reply');
  if (target !== undefined && answered === undefined && !mayMiss) throw badRequest('message to be replied not found');
  return { ...(topic !== undefined && { message_thread_id: topic, is_topic_message: true }), ...(answered && quoted(answered)) };
}

/** A message shows the one it answers, but not what that one answered. */
export function quoted(message: TelegramMessageState): JsonObject {
  const { reply_to_message: _, ...rest } = messageWire(message);
  return { reply_to_message: rest };
}

function mediaOf(call: MethodCall, kind: TelegramMediaKind, value: string, upload: TelegramUpload | undefined): JsonObject {
  const { files } = call.world;
  if (/^https?:/.test(value)) throw badRequest('failed to get HTTP URL content');
  const file = upload ?? files.byId(value);
  if (file === undefined) throw badRequest(value === '' ? `there is no ${kind} in the request` : 'wrong remote file identifier specified');
  if (file.bytes.length === 0) throw badRequest('file must be non-empty');
  const duration = call.params.number('duration');
  return { [kind]: files.wire(kind, { ...file, ...(duration !== undefined && { duration }) }) };
}

function kindOf(type: string | undefined): TelegramMediaKind {
  if (type === 'photo' || type === 'video' || type === 'audio' || type === 'document') return type;
  throw badRequest("can't parse InputMedia: Media type is unsupported");
}

function markupOf(params: TelegramParams): JsonObject {
  if (params.values['reply_markup'] === undefined) return {};
  const markup = params.json('reply_markup');
  if (!isObject(markup)) throw badRequest('object expected as reply markup');
  const rows = markup['inline_keyboard'];
  if (rows === undefined) return {};
  const buttons = (Array.isArray(rows) ? rows : []).flat();
  for (const button of buttons) {
    if ((readStringAt(button, 'text') ?? '') === '')
      throw badRequest("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard");
    const data = readStringAt(button, 'callback_data');
    if (data !== undefined && (data === '' || Buffer.byteLength(data) > MAX_BUTTON_BYTES)) throw badRequest('BUTTON_DATA_INVALID');
  }
  return buttons.length === 0 ? {} : { reply_markup: markup };
}
