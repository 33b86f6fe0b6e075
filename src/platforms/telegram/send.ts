import { open } from 'node:fs/promises';
import { readNumberAt } from '../../base/json.ts';
import { renderPlain } from '../../base/markdown/plain.ts';
import type { JsonObject } from '../../base/json-types.ts';
import type { CardButton, ChatPlace, OutboundEdit, OutboundMedia, OutboundMessage, SendResult } from '../../contracts/platform-adapter.ts';
import type { ApiAnswer, ApiFailure, CallOptions, TelegramClient } from './client.ts';
import { toMarkdownV2 } from './codec.ts';
import type { TelegramSettings } from './settings.ts';

export interface TelegramSendDeps {
  readonly client: TelegramClient;
  readonly settings: TelegramSettings;
  readonly signal: AbortSignal;
}

/** Photographs larger than this go as documents. */
const MAX_PHOTO_BYTES = 10 * 1024 * 1024;
const BUTTONS_PER_ROW = 2;

export async function sendMessage(message: OutboundMessage, deps: TelegramSendDeps): Promise<SendResult> {
  const { content } = message;
  if (content.type === 'media') return await sendMedia(message, content.media, content.caption, deps);
  const place = placeOf(message);
  const buttons = content.type === 'card' ? keyboard(content.buttons) : {};
  const answer = await sendWorded('sendMessage', { ...place, ...previews(deps.settings), ...buttons }, ['text', content.markdown], deps);
  return toResult(answer);
}

export async function editMessage({ chatId, messageId, content }: OutboundEdit, deps: TelegramSendDeps): Promise<SendResult> {
  const at = { chat_id: chatId, message_id: Number(messageId), ...previews(deps.settings) };
  const buttons = content.type === 'card' ? keyboard(content.buttons) : {};
  const answer = await sendWorded('editMessageText', { ...at, ...buttons }, ['text', content.markdown], deps);
  if (answer.type === 'refused' && /message is not modified/i.test(answer.why)) return { type: 'sent', messageId };
  return toResult(answer, messageId);
}

async function sendMedia(
  message: OutboundMessage,
  media: OutboundMedia,
  caption: string | undefined,
  deps: TelegramSendDeps,
): Promise<SendResult> {
  let handle;
  try {
    handle = await open(media.path);
  } catch {
    // Where it is on this machine is nobody's business in a chat.
    return { type: 'refused', why: 'the file could not be read' };
  }
  await using file = handle;
  const bytes = (await file.stat()).size;
  const send = (as: UploadKind): Promise<ApiAnswer> => {
    const upload = { field: as.field, handle: file, bytes, name: media.name, mime: media.mime };
    return sendWorded(as.method, placeOf(message), ['caption', caption ?? ''], deps, upload);
  };
  const answer = await send(uploadKind(media));
  // A picture of odd measures is a file all the same.
  const isOdd = answer.type === 'refused' && /PHOTO_INVALID_DIMENSIONS|IMAGE_PROCESS_FAILED|VOICE_MESSAGES_FORBIDDEN/i.test(answer.why);
  return toResult(isOdd ? await send(AS_DOCUMENT) : answer);
}

interface UploadKind {
  readonly method: string;
  readonly field: string;
}
const AS_DOCUMENT: UploadKind = { method: 'sendDocument', field: 'document' };
/** What Telegram plays or shows by itself; everything else is a document. */
const SHOWN: Readonly<Record<OutboundMedia['kind'], UploadKind & { readonly types: RegExp }>> = {
  image: { method: 'sendPhoto', field: 'photo', types: /^image\/(?:jpeg|png|webp)$/ },
  voice: { method: 'sendVoice', field: 'voice', types: /^audio\/(?:ogg|opus|mpeg|mp4)$/ },
  audio: { method: 'sendAudio', field: 'audio', types: /^audio\/(?:mpeg|mp4|x-m4a)$/ },
  video: { method: 'sendVideo', field: 'video', types: /^video\/mp4$/ },
  document: { ...AS_DOCUMENT, types: /^/ },
};
function uploadKind({ kind, mime, bytes }: OutboundMedia): UploadKind {
  const shown = SHOWN[kind];
  return shown.types.test(mime) && !(kind === 'image' && bytes > MAX_PHOTO_BYTES) ? shown : AS_DOCUMENT;
}

/** With marks first; the plain words when Telegram does not take them; outside of a topic that is gone. None of these was carried out before. */
async function sendWorded(
  method: string,
  params: JsonObject,
  [field, markdown]: readonly [field: 'text' | 'caption', markdown: string],
  { client, signal }: TelegramSendDeps,
  file?: CallOptions['file'],
): Promise<ApiAnswer> {
  const options = { signal, ...(file && { file }) };
  // A text that shows nothing, such as an empty block of code, is refused.
  const shown = toMarkdownV2(markdown);
  const marked = markdown === '' ? {} : { [field]: shown === '' ? '…' : shown, parse_mode: 'MarkdownV2' };
  const answer = await client.call(method, { ...params, ...marked }, options);
  if (answer.type !== 'refused') return answer;
  const { message_thread_id: topic, ...outside } = params;
  if (/can't parse entities/i.test(answer.why))
    return await client.call(method, { ...params, [field]: renderPlain(markdown) || '…' }, options);
  if (topic !== undefined && /message thread not found/i.test(answer.why))
    return await client.call(method, { ...outside, ...marked }, options);
  return answer;
}

/** The General topic of a forum has no number. */
export const topicOf = ({ threadId }: ChatPlace): JsonObject =>
  threadId === undefined || threadId === '1' ? {} : { message_thread_id: Number(threadId) };

const placeOf = (message: OutboundMessage): JsonObject => ({
  chat_id: message.chatId,
  ...topicOf(message),
  ...(message.replyTo !== undefined && {
    reply_parameters: { message_id: Number(message.replyTo), allow_sending_without_reply: true },
  }),
});

const previews = ({ showsPreviews }: TelegramSettings): JsonObject =>
  showsPreviews ? {} : { link_preview_options: { is_disabled: true } };

function keyboard(buttons: readonly CardButton[]): JsonObject {
  if (buttons.length === 0) return {};
  const keys = buttons.map(({ label, value }) => ({ text: label, callback_data: value }));
  const rows = Array.from({ length: Math.ceil(keys.length / BUTTONS_PER_ROW) }, (_, row) =>
    keys.slice(row * BUTTONS_PER_ROW, (row + 1) * BUTTONS_PER_ROW),
  );
  return { reply_markup: { inline_keyboard: rows } };
}

export function toResult(answer: ApiAnswer, messageId?: string): SendResult {
  if (answer.type !== 'ok') return toFailure(answer);
  const made = messageId ?? readNumberAt(answer.result, 'message_id');
  return made === undefined
    ? { type: 'unknown', why: 'Telegram took the message and did not say its number' }
    : { type: 'sent', messageId: String(made) };
}

/** Refusals by what they mean; the first row that fits holds. */
const REFUSALS: readonly (readonly [code: RegExp, words: RegExp, type: 'dead' | 'not_sent' | 'unknown' | 'refused'])[] = [
  [/^403$/, /^/, 'dead'],
  [
    /^400$/,
    /chat not found|user not found|PEER_ID_INVALID|chat was deactivated|CHAT_WRITE_FORBIDDEN|rights to send|user is deactivated/i,
    'dead',
  ],
  // The token was taken back: the message itself is as good as ever.
  [/^401$/, /^/, 'not_sent'],
  // Between Telegram's own machines: the one behind may have heard it.
  [/^50[24]$/, /^/, 'unknown'],
  [/^5/, /^/, 'not_sent'],
  [/^/, /^/, 'refused'],
];

function toFailure(failure: ApiFailure): SendResult {
  const { why } = failure;
  if (failure.type === 'unreached') return { type: 'not_sent', why };
  if (failure.type === 'lost') return { type: 'unknown', why };
  if (failure.movedTo !== undefined) return { type: 'moved', to: { chatId: String(failure.movedTo) }, isNewId: true };
  if (failure.code === 429) return { type: 'limited', retryAfterMs: failure.retryAfterMs ?? DEFAULT_PAUSE_MS, scope: 'chat' };
  const row = REFUSALS.find(([code, words]) => code.test(String(failure.code)) && words.test(why));
  return {
    type: row?.[2] ?? 'refused',
    why: /chat not found/i.test(why) ? `${why} (a bot cannot write first: send it a message there)` : why,
  };
}
const DEFAULT_PAUSE_MS = 5_000;
