import { isObject, readNumberAt, readPath, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import type {
  ButtonPress,
  Chat,
  Cursor,
  ForeignPart,
  InboundMedia,
  InboundMessage,
  MediaKind,
  QuotedMessage,
  Sender,
} from '../../contracts/platform-adapter.ts';
import { isDirect, isThread, listAt, takesThreads, type KnownChannel } from './channels.ts';
import type { ChannelGate } from './settings.ts';

/** What is needed to read an event. */
export interface DecodeContext {
  readonly selfId: string;
  readonly ownRoles: ReadonlySet<string>;
  readonly channel: KnownChannel;
  readonly gate: ChannelGate;
  readonly startsThreads: boolean;
}

const DISCORD_EPOCH = Date.UTC(2015, 0, 1);
export const timeOfId = (id: string): number => Number(BigInt(id) >> 22n) + DISCORD_EPOCH;
/** The smallest id of that moment. */
export const idAtTime = (ms: number): string => String(BigInt(Math.max(0, Math.trunc(ms) - DISCORD_EPOCH)) << 22n);
export const isNewer = (id: string, than: string): boolean => BigInt(id) > BigInt(than);

/** Ordinary words and replies; anything else is a notice of Discord's own. */
const WRITTEN: readonly (number | undefined)[] = [0, 19];
const VOICE_FLAG = 1 << 13;
const MAX_TITLE = 80;

/** Whether a channel is heard at all. Threads follow their channel; private chats always are. */
export function isHeard(channel: KnownChannel, { ignored, allowed }: ChannelGate): boolean {
  if (isDirect(channel)) return true;
  const places = [channel.id, channel.parentId ?? ''];
  if (places.some((id) => ignored.has(id))) return false;
  return allowed.size === 0 || places.some((id) => allowed.has(id));
}

const DIRECT = 'direct:';
/** Private chats are told apart: Discord lists channels, but not these. */
const cursorOf = (channel: KnownChannel, value: string): Cursor => ({
  scope: isDirect(channel) ? `${DIRECT}${channel.id}` : channel.id,
  value,
  ...(isThread(channel) && { keepMs: THREAD_KEPT_MS }),
});
/** Longer than the catch-up looks back in a thread without a cursor: nothing is read twice. */
const THREAD_KEPT_MS = 100 * 24 * 3_600_000;

/** The channel of a cursor's scope; nothing for one that is not a channel's. */
export function readScope(scope: string): { readonly id: string; readonly isPrivate: boolean } | undefined {
  const id = scope.replace(DIRECT, '');
  return /^\d+$/.test(id) ? { id, isPrivate: scope.startsWith(DIRECT) } : undefined;
}

/** A message that somebody wrote; nothing for our own, for notices, and for an update that changed no words. */
export function readMessage(data: Json, context: DecodeContext, isUpdate: boolean): InboundMessage | undefined {
  const { selfId, channel } = context;
  const id = readStringAt(data, 'id');
  const edited = readStringAt(data, 'edited_timestamp');
  if (id === undefined || readStringAt(data, 'author', 'id') === selfId || !WRITTEN.includes(readNumberAt(data, 'type'))) return undefined;
  if (!isHeard(channel, context.gate) || (isUpdate && edited === undefined)) return undefined;
  const isAddressed = isForUs(data, context);
  const thread = isAddressed ? ownThread(data, id, context) : undefined;
  const quoted = readQuote(data, selfId);
  const snapshots = listAt(data, 'message_snapshots');
  return {
    type: 'message',
    key: isUpdate ? `${id}:${Date.parse(edited ?? '')}` : id,
    chat: thread ?? chatOf(channel, data),
    sender: readSender(data),
    sentAt: isUpdate ? Date.parse(edited ?? '') : timeOfId(id),
    messageId: id,
    text: readText(data, context),
    isAddressed,
    ...(snapshots.length > 0 && { foreign: snapshots.map((snapshot) => readSnapshot(snapshot, data)) }),
    media: listAt(data, 'attachments').flatMap((attachment) => readAttachment(attachment, data, data)),
    ...(isUpdate ? { isEdit: true, edits: id } : { cursor: cursorOf(channel, id) }),
    ...(edited !== undefined && { editedAt: Date.parse(edited) }),
    ...(quoted !== undefined && { replyTo: quoted }),
    ...(thread !== undefined && { handle: { thread: { parent: channel.id, name: thread.name ?? '' } } }),
  };
}

function chatOf(channel: KnownChannel, data: Json): Chat {
  const { id, name, topic, parentId } = channel;
  if (isDirect(channel)) return { chatId: id, type: 'private', ...named(readName(data) ?? name) };
  if (isThread(channel)) return { chatId: id, type: 'thread', ...named(name), ...(parentId !== undefined && { parentId }) };
  return { chatId: id, type: 'channel', ...named(name), ...(topic !== undefined && { topic }) };
}
const named = (name: string | undefined) => (name === undefined ? {} : { name });

/** The thread that a message which calls us in a channel gets for its answer: its id will be the message's. */
function ownThread(data: Json, id: string, context: DecodeContext): Chat | undefined {
  const { channel, gate, startsThreads } = context;
  if (!startsThreads || !takesThreads(channel) || gate.free.has(channel.id) || gate.withoutThreads.has(channel.id)) return undefined;
  const title = readText(data, context).split('\n')[0]?.trim().slice(0, MAX_TITLE).toWellFormed() ?? '';
  return { chatId: id, type: 'thread', name: title === '' ? 'Conversation' : title, parentId: channel.id };
}

/** A private chat, a call by name, a reply to us, a thread we are in, or a channel where no call is needed. */
function isForUs(data: Json, { selfId, ownRoles, channel, gate }: DecodeContext): boolean {
  if (isDirect(channel)) return true;
  const called = listAt(data, 'mentions').map((user) => readStringAt(user, 'id'));
  if (called.includes(selfId) || readStringAt(data, 'referenced_message', 'author', 'id') === selfId) return true;
  if (listAt(data, 'mention_roles').some((role) => typeof role === 'string' && ownRoles.has(role))) return true;
  if (gate.leavesOthersAlone && called.length > 0) return false;
  const isFree = gate.free.has(channel.id) || gate.free.has(channel.parentId ?? '');
  return !gate.needsMention || isFree || (isThread(channel) && channel.isJoined);
}

const readName = (data: Json): string | undefined =>
  readStringAt(data, 'member', 'nick') ?? readStringAt(data, 'author', 'global_name') ?? readStringAt(data, 'author', 'username');

function readSender(data: Json): Sender {
  const roles = listAt(data, 'member', 'roles').filter((role) => typeof role === 'string');
  const isBot = readPath(data, 'author', 'bot') === true || readStringAt(data, 'webhook_id') !== undefined;
  return { id: readStringAt(data, 'author', 'id') ?? '', isBot, ...named(readName(data)), ...(roles.length > 0 && { roles }) };
}

/** The words, without the mention that called us and with the names of others in place of their ids. */
const readText = (data: Json, { selfId, ownRoles }: Pick<DecodeContext, 'selfId' | 'ownRoles'>): string =>
  readWords(data, new RegExp(`<@(?:!?${selfId}|&(?:${[...ownRoles].join('|') || '-'}))>[ \\t]*`));

function readWords(data: Json, omit?: RegExp): string {
  const names = new Map(
    listAt(data, 'mentions').map((user) => [readStringAt(user, 'id'), readStringAt(user, 'global_name') ?? readStringAt(user, 'username')]),
  );
  const content = readStringAt(data, 'content') ?? '';
  const words = (omit === undefined ? content : content.replace(omit, ''))
    .replaceAll(/<@!?(\d+)>/g, (mention, id: string) => (names.get(id) === undefined ? mention : `@${names.get(id)}`))
    .trim();
  const stickers = listAt(data, 'sticker_items').map((sticker) => `[sticker: ${readStringAt(sticker, 'name') ?? ''}]`);
  return [words, ...stickers].filter((part) => part !== '').join('\n');
}

/** A forwarded message. Discord does not tell who wrote it. */
function readSnapshot(snapshot: Json, data: Json): ForeignPart {
  const message = readPath(snapshot, 'message') ?? {};
  const media = listAt(message, 'attachments').flatMap((attachment) => readAttachment(attachment, message, data));
  return { origin: 'forward', text: readWords(message), media };
}

function readQuote(data: Json, selfId: string): QuotedMessage | undefined {
  const id = readStringAt(data, 'message_reference', 'message_id');
  if (id === undefined || readNumberAt(data, 'message_reference', 'type') === 1) return undefined;
  const text = readStringAt(data, 'referenced_message', 'content');
  const isOurs = readStringAt(data, 'referenced_message', 'author', 'id') === selfId;
  return { messageId: id, isOurs, ...(text !== undefined && text !== '' && { text }) };
}

/** A file of a message that came in another, or is it. */
function readAttachment(attachment: Json, message: Json, carrier: Json): InboundMedia[] {
  const [id, url] = [readStringAt(attachment, 'id'), readStringAt(attachment, 'url')];
  if (id === undefined || url === undefined) return [];
  const [name, mime] = [readStringAt(attachment, 'filename'), readStringAt(attachment, 'content_type')];
  const bytes = readNumberAt(attachment, 'size');
  const isVoice = ((readNumberAt(message, 'flags') ?? 0) & VOICE_FLAG) !== 0;
  return [
    {
      kind: isVoice ? 'voice' : kindOf(mime),
      ...named(name),
      ...(mime !== undefined && { mime }),
      ...(bytes !== undefined && { bytes }),
      // The address expires; with these a fresh one can be asked for.
      handle: { url, id, channel: readStringAt(carrier, 'channel_id'), message: readStringAt(carrier, 'id') },
    },
  ];
}

const KINDS: Readonly<Record<string, MediaKind>> = { image: 'image', audio: 'audio', video: 'video' };
const kindOf = (mime: string | undefined): MediaKind => KINDS[mime?.split('/')[0] ?? ''] ?? 'document';

const COMMAND = 2;
const COMPONENT = 3;

/** A command of the menu as it would be typed, or a press on a button. */
export function readInteraction(data: Json, context: DecodeContext): InboundMessage | ButtonPress | undefined {
  const [id, token, app] = [readStringAt(data, 'id'), readStringAt(data, 'token'), readStringAt(data, 'application_id')];
  if (id === undefined || token === undefined || app === undefined || !isHeard(context.channel, context.gate)) return undefined;
  const author = isObject(readPath(data, 'user')) ? readPath(data, 'user') : readPath(data, 'member', 'user');
  const written: JsonObject = { author: author ?? null, member: readPath(data, 'member') ?? null };
  const facts = { key: id, chat: chatOf(context.channel, written), sender: readSender(written), sentAt: timeOfId(id) };
  const handle = { interaction: { id, token, app } };
  const type = readNumberAt(data, 'type');
  const value = readStringAt(data, 'data', 'custom_id');
  if (type === COMPONENT && value !== undefined)
    return { ...facts, type: 'press', messageId: readStringAt(data, 'message', 'id') ?? '', value, handle };
  if (type !== COMMAND) return undefined;
  const given = listAt(data, 'data', 'options').map((option) => readStringAt(option, 'value') ?? '');
  const text = ['/' + (readStringAt(data, 'data', 'name') ?? ''), ...given].filter((part) => part !== '').join(' ');
  return { ...facts, type: 'message', messageId: id, text, isAddressed: true, isCommand: true, media: [], handle };
}
