import { isObject, readPath, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import type {
  ButtonPress,
  Chat,
  ForeignPart,
  InboundMedia,
  InboundMessage,
  MediaKind,
  QuotedMessage,
} from '../../contracts/platform-adapter.ts';
import { readMrkdwn } from './codec.ts';
import type { SlackInstall } from './workspaces.ts';

/** A message as an event or history tells of it. */
export interface HeardMessage {
  readonly type: 'message';
  readonly key: string;
  readonly teamId: string;
  readonly channel: string;
  /** `im`, `mpim`, `channel` or `group`; a mention does not say. */
  readonly channelType?: string;
  readonly ts: string;
  readonly threadTs?: string;
  readonly user: string;
  readonly botId?: string;
  readonly text: string;
  readonly files: readonly Json[];
  /** Messages that it shares, and previews of messages it has a link to. */
  readonly shared: readonly Json[];
  readonly isEdit: boolean;
  /** Of an edit: the key of what it changes. */
  readonly edits?: string;
  /** When its words became these, as Slack writes times. */
  readonly editedTs?: string;
  readonly parentUser?: string;
}
export interface HeardPress {
  readonly type: 'press';
  readonly key: string;
  readonly teamId: string;
  readonly body: Json;
}
export interface HeardCommand {
  readonly type: 'command';
  readonly key: string;
  readonly teamId: string;
  readonly body: Json;
}
export type Heard = HeardMessage | HeardPress | HeardCommand;

/** What people and bots write. Other subtypes tell of joins, topics and the like. */
const WRITTEN = new Set([undefined, 'file_share', 'thread_broadcast', 'me_message', 'bot_message', 'message_share']);

/** What an envelope brings; nothing for what is not for us to know. */
export function readEnvelope(envelope: Json): Heard | undefined {
  const body = readPath(envelope, 'payload');
  const type = readStringAt(envelope, 'type');
  if (type === 'interactive') return readPress(body);
  if (type === 'slash_commands') return readCommand(body);
  const event = readPath(body, 'event');
  const teamId = readStringAt(body, 'authorizations', 0, 'team_id') ?? readStringAt(body, 'team_id') ?? '';
  const place = { teamId, channel: readStringAt(event, 'channel') ?? '', ...pick(event, 'channel_type', 'channelType') };
  if (readStringAt(event, 'type') === 'app_mention') return readMessage(event, place);
  if (readStringAt(event, 'type') !== 'message') return undefined;
  return readStringAt(event, 'subtype') === 'message_changed' ? readChange(event, place) : readMessage(event, place);
}

interface HeardPlace {
  readonly teamId: string;
  readonly channel: string;
  readonly channelType?: string;
}

export function readMessage(message: Json | undefined, place: HeardPlace): HeardMessage | undefined {
  const ts = readStringAt(message, 'ts');
  const user = readStringAt(message, 'user') ?? readStringAt(message, 'bot_id');
  if (ts === undefined || user === undefined || place.channel === '' || !WRITTEN.has(readStringAt(message, 'subtype'))) return undefined;
  return {
    type: 'message',
    key: `${place.teamId}:${place.channel}:${ts}`,
    ...place,
    ts,
    // The first message of a thread names itself.
    ...(readStringAt(message, 'thread_ts') !== ts && pick(message, 'thread_ts', 'threadTs')),
    user,
    ...pick(message, 'bot_id', 'botId'),
    text: readStringAt(message, 'text') ?? '',
    files: listAt(message, 'files'),
    shared: listAt(message, 'attachments').filter(isMessageOfOthers),
    isEdit: false,
    ...pick(readPath(message, 'edited'), 'ts', 'editedTs'),
    ...pick(message, 'parent_user_id', 'parentUser'),
  };
}

const listAt = (from: Json | undefined, name: string): readonly Json[] => {
  const list = readPath(from, name);
  return Array.isArray(list) ? list : [];
};
const isMessageOfOthers = (attachment: Json): boolean =>
  readPath(attachment, 'is_share') === true || readPath(attachment, 'is_msg_unfurl') === true;

/** Slack also tells of a change when it unfolds a link: only other words are an edit. */
function readChange(event: Json | undefined, place: HeardPlace): HeardMessage | undefined {
  const message = readMessage(readPath(event, 'message'), place);
  const edited = readStringAt(event, 'message', 'edited', 'ts');
  if (message === undefined || edited === undefined || message.text === readStringAt(event, 'previous_message', 'text')) return undefined;
  return { ...message, key: `${message.key}:${edited}`, isEdit: true, edits: message.key };
}

function readPress(body: Json | undefined): HeardPress | undefined {
  const at = (...path: (string | number)[]) => readStringAt(body, ...path);
  const [teamId, channel, card] = [at('team', 'id'), at('container', 'channel_id'), at('container', 'message_ts')];
  const [user, when] = [at('user', 'id'), at('actions', 0, 'action_ts')];
  if (body === undefined || at('type') !== 'block_actions' || !teamId || !channel || !card || !user || !when) return undefined;
  return { type: 'press', teamId, key: `${teamId}:${channel}:${card}:${user}:${when}`, body };
}

function readCommand(body: Json | undefined): HeardCommand | undefined {
  const at = (name: string) => readStringAt(body, name);
  const [teamId, channel, trigger] = [at('team_id'), at('channel_id'), at('trigger_id')];
  if (body === undefined || !teamId || !channel || !trigger) return undefined;
  return { type: 'command', teamId, key: `${teamId}:${channel}:${trigger}`, body };
}

function pick<To extends string>(from: Json | undefined, name: string, to: To): { readonly [key in To]?: string } {
  const value = readStringAt(from, name);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one key, computed
  return value === undefined ? {} : ({ [to]: value } as { readonly [key in To]: string });
}

/** What is known besides the event itself. */
export interface InboundFacts {
  readonly install: SlackInstall;
  readonly repliesInThread: boolean;
  readonly isAddressed: boolean;
  readonly chat: Pick<Chat, 'type' | 'name'>;
  readonly sender: { readonly name?: string; readonly isBot: boolean };
  /** What the thread is about, where we come into it. */
  readonly root?: QuotedMessage;
  /** Names of commands that may also be written `!name`: Slack takes no slash in threads. */
  readonly commands: ReadonlySet<string>;
}

export const isOwn = (message: HeardMessage, { userId, botId }: SlackInstall): boolean =>
  message.user === userId || (message.botId !== undefined && message.botId === botId);

export const mentions = (text: string, { userId }: SlackInstall): boolean => text.includes(`<@${userId}>`) || text.includes(`<@${userId}|`);

/** The thread a message belongs to or, when it calls us in a channel, opens. */
export function threadOf(message: HeardMessage, facts: Pick<InboundFacts, 'isAddressed' | 'repliesInThread' | 'chat'>): string | undefined {
  if (message.threadTs !== undefined) return message.threadTs;
  return facts.isAddressed && facts.repliesInThread && facts.chat.type !== 'private' ? message.ts : undefined;
}

export function toInbound(message: HeardMessage, facts: InboundFacts): InboundMessage {
  const threadId = threadOf(message, facts);
  const isOthers = (file: Json): boolean => (readStringAt(file, 'user') ?? message.user) !== message.user;
  const others = message.files.filter(isOthers).flatMap((file) => toMedia(file, message.teamId));
  const foreign: readonly ForeignPart[] = [
    ...message.shared.map((shared) => toForeignPart(shared, message.teamId)),
    // A file that somebody else brought to Slack, and the sender shares.
    ...(others.length === 0 ? [] : [{ origin: 'forward' as const, text: '', media: others }]),
  ];
  return {
    type: 'message',
    key: message.key,
    chat: toChat(message.channel, threadId, facts.chat),
    sender: { id: message.user, ...facts.sender, isBot: facts.sender.isBot || message.botId !== undefined },
    sentAt: toMilliseconds(message.ts),
    ...cursorOf(message, facts.isAddressed),
    messageId: message.ts,
    text: readText(message.text, facts),
    ...(foreign.length > 0 && { foreign }),
    isAddressed: facts.isAddressed,
    ...(message.isEdit && { isEdit: true }),
    ...(message.edits !== undefined && { edits: message.edits }),
    ...(message.editedTs !== undefined && { editedAt: toMilliseconds(message.editedTs) }),
    ...(facts.root !== undefined && { replyTo: facts.root }),
    media: message.files.filter((file) => !isOthers(file)).flatMap((file) => toMedia(file, message.teamId)),
  };
}

function toForeignPart(shared: Json, teamId: string): ForeignPart {
  const author = readStringAt(shared, 'author_name') ?? readStringAt(shared, 'author_subname');
  const text = readStringAt(shared, 'text') ?? readStringAt(shared, 'fallback') ?? '';
  return {
    origin: 'forward',
    ...(author !== undefined && author !== '' && { author }),
    text: readMrkdwn(text),
    media: listAt(shared, 'files').flatMap((file) => toMedia(file, teamId)),
  };
}

/** Longer than the catch-up looks back in a thread without a cursor: nothing is read twice. */
const THREAD_KEPT_MS = 100 * 86_400_000;

/**
 * An edit may be of an old message: it tells nothing of how far we are. A thread has a cursor of its own only when it is a
 * conversation of ours: there would be no end of them.
 */
function cursorOf({ channel, threadTs, ts, isEdit }: HeardMessage, isAddressed: boolean): Pick<InboundMessage, 'cursor'> {
  if (isEdit || (threadTs !== undefined && !isAddressed)) return {};
  if (threadTs === undefined) return { cursor: { scope: channel, value: ts } };
  return { cursor: { scope: `${channel}/${threadTs}`, value: ts, keepMs: THREAD_KEPT_MS } };
}

function toChat(chatId: string, threadId: string | undefined, { type, name }: Pick<Chat, 'type' | 'name'>): Chat {
  const named = name === undefined ? {} : { name };
  if (threadId === undefined) return { chatId, type, ...named };
  return type === 'private' ? { chatId, threadId, type } : { chatId, threadId, type: 'thread', parentId: chatId, ...named };
}

function readText(text: string, { install, commands }: Pick<InboundFacts, 'install' | 'commands'>): string {
  const bare = text.replaceAll(new RegExp(`<@${install.userId}(?:\\|[^>]*)?>`, 'g'), '').trim();
  const name = /^!([a-z][\w-]*)(?=\s|$)/.exec(bare)?.[1];
  return name !== undefined && commands.has(name) ? `/${bare.slice(1)}` : readMrkdwn(bare);
}

export const toMilliseconds = (ts: string): number => Math.round(Number(ts) * 1000);
export const toTs = (milliseconds: number): string => (Math.max(0, milliseconds) / 1000).toFixed(6);

function toMedia(file: Json, team: string): InboundMedia[] {
  const read = (name: string) => readStringAt(file, name);
  const url = read('url_private_download') ?? read('url_private');
  if (!isObject(file) || url === undefined) return [];
  const mime = read('mimetype');
  const size = file['size'];
  return [
    {
      kind: kindOf(mime ?? '', read('subtype')),
      ...(read('name') !== undefined && { name: read('name') ?? '' }),
      ...(mime !== undefined && { mime }),
      ...(typeof size === 'number' && { bytes: size }),
      handle: { url, team, mime: mime ?? '' },
    },
  ];
}

function kindOf(mime: string, subtype: string | undefined): MediaKind {
  if (subtype === 'slack_audio') return 'voice';
  const [family] = mime.split('/');
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'document';
}

export function toPress({ key, body }: HeardPress, chat: Pick<Chat, 'type' | 'name'>): ButtonPress {
  const at = (...path: (string | number)[]) => readStringAt(body, ...path) ?? '';
  const messageId = at('container', 'message_ts');
  const thread = readStringAt(body, 'container', 'thread_ts') ?? readStringAt(body, 'message', 'thread_ts');
  const name = at('user', 'name');
  return {
    type: 'press',
    key,
    // A card that somebody replied to begins a thread, and is still where it was asked.
    chat: toChat(at('container', 'channel_id'), thread === messageId ? undefined : thread, chat),
    sender: { id: at('user', 'id'), ...(name !== '' && { name }), isBot: false },
    sentAt: toMilliseconds(at('actions', 0, 'action_ts')),
    messageId,
    value: at('actions', 0, 'value'),
    handle: { response_url: at('response_url') },
  };
}

/** `/hermes status` is the command `/status`; one of its own name is the command as it stands. */
export function toCommand({ key, body }: HeardCommand, chat: Pick<Chat, 'type' | 'name'>, now: number): InboundMessage {
  const at = (name: string) => readStringAt(body, name) ?? '';
  const words = at('text').trim();
  const typed = at('command') === '/hermes' ? `/${words === '' ? 'help' : words.replace(/^\//, '')}` : `${at('command')} ${words}`.trim();
  const handle: JsonObject = { response_url: at('response_url') };
  return {
    type: 'message',
    key,
    chat: toChat(at('channel_id'), undefined, chat),
    sender: { id: at('user_id'), name: at('user_name'), isBot: false },
    sentAt: now,
    messageId: at('trigger_id'),
    text: typed,
    isAddressed: true,
    media: [],
    isCommand: true,
    handle,
  };
}
