import { createHash } from 'node:crypto';
import { isObject, readNumberAt, readPath, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import type { Chat, ForeignPart, InboundMessage, PlatformEvent, QuotedMessage, Sender } from '../../contracts/platform-adapter.ts';
import { isAddressed, isListenedTo, isOurMention } from './addressed.ts';
import { readOrigin, readQuotation } from './foreign.ts';
import { readWords, toMarkdown, type MessageEntity } from './entities.ts';
import { describeOther, readMedia } from './media.ts';
import type { MentionGate } from './settings.ts';

/** Who the bot is, as Telegram says. */
export interface BotIdentity {
  readonly id: number;
  readonly username: string;
}
export interface EventContext {
  readonly me: BotIdentity;
  readonly gate: MentionGate;
}

/** What we ask Telegram for; nothing else comes. */
export const UPDATE_KINDS = ['message', 'edited_message', 'channel_post', 'edited_channel_post', 'callback_query'] as const;

/** What an update tells; nothing where it tells us nothing. */
export function toEvents(update: Json, context: EventContext): PlatformEvent[] {
  const kind = UPDATE_KINDS.find((each) => readPath(update, each) !== undefined);
  const body = kind === undefined ? undefined : readPath(update, kind);
  if (!isObject(body)) return [];
  if (kind === 'callback_query') return toPress(body);
  return toMove(body) ?? toMessage(body, kind?.startsWith('edited') === true, context);
}

function toMessage(message: JsonObject, isEdit: boolean, { me, gate }: EventContext): PlatformEvent[] {
  const chat = readChat(message);
  if (!isListenedTo(chat, gate)) return [];
  const origin = readOrigin(message);
  const { source, entities } = readWords(message);
  const media = readMedia(message);
  // Words that somebody else wrote call nobody.
  const own = origin === undefined ? { source, entities } : { source: '', entities: [] };
  const isOurs = (entity: MessageEntity): boolean => isOurMention(own.source, entity, me);
  const marked = toMarkdown(source, entities, (entity) => origin === undefined && isOurs(entity));
  const written = cutMention(marked, own.entities.some(isOurs), me);
  const words = [written, describeOther(message)].filter((each) => each !== '').join('\n');
  const foreign: readonly ForeignPart[] = [...readQuotation(message), ...(origin === undefined ? [] : [{ ...origin, text: words, media }])];
  if (words === '' && media.length === 0 && foreign.length === 0) return [];
  const replyTo = readReply(message, me);
  const sender = readSender(message);
  const group = readStringAt(message, 'media_group_id');
  const event: InboundMessage = {
    type: 'message',
    ...messageKey(message, chat, isEdit ? words : undefined),
    chat,
    sender,
    text: origin === undefined ? words : '',
    ...(foreign.length > 0 && { foreign }),
    isAddressed: isAddressed({ chat, sender, ...own, isReplyToUs: replyTo?.isOurs === true }, me, gate),
    ...(isEdit && { isEdit }),
    ...(replyTo && { replyTo }),
    media: origin === undefined ? media : [],
    ...(group !== undefined && { group }),
  };
  return [event];
}

/**
 * Numbers are unique in their chat alone. Of two edits in one second only the words differ, so they are part of the key.
 */
function messageKey(
  message: JsonObject,
  { chatId }: Chat,
  edited: string | undefined,
): Pick<InboundMessage, 'key' | 'messageId' | 'sentAt'> {
  const messageId = String(readNumberAt(message, 'message_id') ?? 0);
  const date = (edited === undefined ? undefined : readNumberAt(message, 'edit_date')) ?? readNumberAt(message, 'date') ?? 0;
  const suffix = edited === undefined ? '' : `:${date}:${createHash('sha256').update(edited).digest('hex').slice(0, 8)}`;
  return { key: `${chatId}:${messageId}${suffix}`, messageId, sentAt: date * 1000 };
}

/** `/status@our_bot` is `/status`; where a name was cut out, no gap stays. */
function cutMention(text: string, wasCut: boolean, { username }: BotIdentity): string {
  const words = text.replace(new RegExp(`^(/\\w+)@${username}\\b`, 'i'), '$1');
  if (!wasCut) return words;
  return words
    .replaceAll(/[^\S\n]{2,}/g, ' ')
    .replaceAll(/[^\S\n]+(?=[,.;:!?])/g, '')
    .replace(/^[\s,;:]+/, '')
    .trimEnd();
}

function toPress(query: JsonObject): PlatformEvent[] {
  const [id, value, card] = [readStringAt(query, 'id'), readStringAt(query, 'data'), readPath(query, 'message')];
  if (id === undefined || value === undefined || !isObject(card)) return [];
  const messageId = String(readNumberAt(card, 'message_id') ?? 0);
  const sender = readSender({ from: query['from'] });
  // Telegram does not tell when a button was pressed.
  return [{ type: 'press', key: `press:${id}`, chat: readChat(card), sender, sentAt: Date.now(), messageId, value, handle: id }];
}

/** A group that became a supergroup is told of in both chats; the two are one event. */
function toMove(message: JsonObject): PlatformEvent[] | undefined {
  const chat = readChat(message);
  const to = readNumberAt(message, 'migrate_to_chat_id');
  const from = readNumberAt(message, 'migrate_from_chat_id');
  if (to === undefined && from === undefined) return undefined;
  const [oldId, newId] = to === undefined ? [String(from), chat.chatId] : [chat.chatId, String(to)];
  const sentAt = (readNumberAt(message, 'date') ?? 0) * 1000;
  return [
    {
      type: 'moved',
      key: `moved:${oldId}:${newId}`,
      chat: { ...chat, chatId: oldId },
      sender: readSender(message),
      sentAt,
      to: { chatId: newId },
    },
  ];
}

function readChat(message: JsonObject): Chat {
  const chat = message['chat'];
  const type = readStringAt(chat, 'type');
  const name = readStringAt(chat, 'title') ?? fullName(chat);
  // Threads of comments below a post have a number too, and are no conversations of their own.
  const threadId = message['is_topic_message'] === true ? readNumberAt(message, 'message_thread_id') : undefined;
  const topic = readStringAt(message, 'reply_to_message', 'forum_topic_created', 'name');
  return {
    chatId: String(readNumberAt(chat, 'id') ?? 0),
    type: type === 'private' || type === 'channel' ? type : 'group',
    ...(threadId !== undefined && { threadId: String(threadId) }),
    ...(name !== undefined && { name }),
    ...(topic !== undefined && { topic }),
  };
}

/** Whoever speaks for a chat (a channel, an administrator without a name) has that chat's id. */
function readSender(message: JsonObject): Sender {
  const chat = message['sender_chat'];
  const from = isObject(chat) ? chat : message['from'];
  const name = readStringAt(from, 'title') ?? fullName(from);
  return {
    id: String(readNumberAt(from, 'id') ?? 0),
    ...(name !== undefined && { name }),
    isBot: readPath(from, 'is_bot') === true,
  };
}

function fullName(person: Json | undefined): string | undefined {
  const name = [readStringAt(person, 'first_name'), readStringAt(person, 'last_name')].filter((each) => each !== undefined).join(' ');
  return name === '' ? undefined : name;
}

/** What opens a topic stands as a reply in every message of it, and is none. */
function readReply(message: JsonObject, { id }: BotIdentity): QuotedMessage | undefined {
  const reply = message['reply_to_message'];
  if (!isObject(reply) || reply['forum_topic_created'] !== undefined) return undefined;
  const text = readStringAt(message, 'quote', 'text') ?? readStringAt(reply, 'text') ?? readStringAt(reply, 'caption');
  return {
    messageId: String(readNumberAt(reply, 'message_id') ?? 0),
    ...(text !== undefined && { text }),
    isOurs: readNumberAt(reply, 'from', 'id') === id,
  };
}
