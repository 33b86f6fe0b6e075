import type { Json, JsonObject } from '../base/json-types.ts';

/**
 * One chat service: transport and codec, and nothing else. Who may speak, what a text means, how an answer is cut, when it is
 * sent again and when a connection is given up is the gateway's, once for all services.
 *
 * Every adapter runs in a worker of its own: what it throws from a timer, blocks or leaks hurts no other. Whatever crosses
 * this contract is plain data. The other functions of a kind are asked at once, in the thread of the gateway: they must return
 * quickly, because everybody waits for them.
 */
export interface PlatformKind {
  /** `telegram`; also the folder, the key below `platforms` and the word in session keys. */
  readonly id: string;
  /** As people write it: `Telegram`. */
  readonly label: string;
  readonly traits: PlatformTraits;
  /** Settings below `extra` that list chats by their ids: they hold for a chat that moved as well. */
  readonly chatSettings?: readonly string[];
  /** Environment variables that name its settings. They win over the file. */
  readonly variables: Readonly<Record<string, PlatformVariable>>;
  /** Why these settings cannot work, with what to set; `undefined` when they can. An account without credentials is not configured. */
  check(settings: AccountSettings): string | undefined;
  /** Secrets that allow only one connection at a time, by what they are: `{ 'bot token': … }`. One machine holds each once. */
  credentials(settings: AccountSettings): Readonly<Record<string, string>>;
  /** An id as events have it, of one as people write it: addresses of mail in lower case. Absent: as it is written. */
  toId?(written: string): string;
  /** How ids of people look there, in words that follow "is". Absent: anything without spaces and commas. */
  readonly userIds?: { readonly shape: RegExp; readonly describe: string };
  /** Asks the service once who the account is, and changes nothing there. Absent: connecting alone shows it. */
  identify?(settings: AccountSettings, signal: AbortSignal): Promise<IdentifyResult>;
  /** A piece of Markdown as it goes over the wire. Pure; its length in the traits' unit is what limits a message. */
  render(markdown: string): string;
  /** What of it counts against the limits, where the service reads its marks before it counts. */
  counted?(rendered: string): string;
  /** Loads the code and makes the adapter; nothing is connected yet. */
  open(options: AdapterOptions): Promise<PlatformAdapter>;
  /** Chats that the settings and the profile's folder name, for a service where nobody has to write first. Asks nobody. */
  listTargets?(settings: AccountSettings, folder: string): readonly Chat[];
}

export type IdentifyResult =
  | { readonly type: 'known'; readonly name: string }
  /** `refused`: the service does not take these credentials. */
  | { readonly type: 'refused' | 'unreached'; readonly why: string };

/** What a service can do and what it allows, as data. */
export interface PlatformTraits {
  /** Longest text of one message, of a rendered one. */
  readonly maxText: number;
  readonly unit: 'utf16' | 'code_points' | 'bytes';
  /** Longest caption of a file; 0 where a file has none. */
  readonly maxCaption: number;
  /** Largest file it takes from us, and the largest it hands over. */
  readonly maxUploadBytes: number;
  readonly maxDownloadBytes: number;
  readonly canEdit: boolean;
  readonly canType: boolean;
  readonly canReact: boolean;
  readonly hasButtons: boolean;
  /**
   * What a repeated send does. `key`: the same `key` makes one message. `read_back`: `findSent` tells whether it is there.
   * `none`: nobody can know, so a repeat is marked.
   */
  readonly idempotency: 'key' | 'read_back' | 'none';
  /** With `key`: how long the service remembers one. A send that is repeated later is marked. Absent: always. */
  readonly keyMs?: number;
  /** How many calls are let through in how many milliseconds. A preview waits for room; a final text may use the last of it. */
  readonly rates: readonly RateBucket[];
  /** How long what is shown by `showTyping` stays. */
  readonly typingMs?: number;
  /**
   * No people are there: programs speak, and the adapter lets in only those that know a secret. What they say is never a command
   * or an answer to a question, and nobody can be asked. Every message is a chat of its own and brings a `task`.
   */
  readonly isMachine?: true;
}
export interface RateBucket {
  readonly scope: 'account' | 'chat' | 'group_chat';
  readonly calls: number;
  readonly perMs: number;
}

/** Where the value of a variable goes: `token`, `allowed_users`, `extra.require_mention`. */
export interface PlatformVariable {
  readonly to: string;
  readonly kind: 'text' | 'list' | 'flag' | 'number';
  readonly secret?: true;
  /** The platform cannot do without it: `hermes gateway setup` asks for it. Tokens are asked for in any case. */
  readonly needed?: true;
  /** `hermes gateway setup` asks for it as well, and goes on without an answer. */
  readonly asked?: true;
  readonly describe: string;
}
/** Settings of one account at a service, as its adapter sees them. */
export interface AccountSettings {
  /** Tokens, keys and passwords by name: `token`, `app_token`. */
  readonly secrets: Readonly<Record<string, string>>;
  /** What stands below `extra`: addresses, gates, habits. Read by the adapter alone. */
  readonly extra: JsonObject;
}
export interface AdapterOptions {
  readonly settings: AccountSettings;
  /** A line for the log of the gateway. Secrets are taken out of it. */
  readonly log: (words: string) => void;
  /** Where requests from outside arrive, for a service that calls us (a webhook). Absent where nothing listens. */
  readonly listen?: (route: InboundRoute) => Promise<OpenInboundRoute>;
  /** The profile's folder, for a platform that keeps something of the owner's there. */
  readonly folder?: string;
  /** What the gateway knows over restarts. */
  readonly records?: AccountRecords;
  /** Sends to an address of the owner's settings, wherever it lies; a redirect is an answer and not followed. */
  readonly post?: (request: PostRequest, signal: AbortSignal) => Promise<PostResult>;
}
export interface AccountRecords {
  /** Whether an event with this key was committed. */
  isKnown(eventKey: string): Promise<boolean>;
  /** Counts something within a window: how often it happened in it, this time included. */
  count(what: string, windowMs: number): Promise<number>;
}
export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
export type PostResult =
  | { readonly type: 'answered'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  /** What was tried may have arrived. */
  | { readonly type: 'failed'; readonly why: string; readonly wasTried: boolean };
/** Requests that an adapter wants to hear: everything below `path`. */
export interface InboundRoute {
  readonly path: string;
  /** Where to listen, for a platform that has an address or a port of its own; the gateway's when left out. */
  readonly host?: string;
  readonly port?: number;
  /** Names by which it may be addressed, besides those of the gateway. */
  readonly names?: readonly string[];
  readonly maxBytes: number;
  answer(request: InboundRequest): Promise<InboundAnswer>;
}
export interface OpenInboundRoute extends AsyncDisposable {
  /** The one that was taken, where any would do. */
  readonly port: number;
}
export interface InboundRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As it came: signatures are made over bytes. */
  readonly body: Uint8Array;
}
export interface InboundAnswer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Promises:
 * - a call never throws for what the service or the network does: it comes back as a result. What is thrown is a defect;
 * - sending works without a connection, and before one;
 * - every call ends soon after its signal aborts; nothing waits longer than 60 s by itself;
 * - the adapter neither retries a send nor waits out a rate limit: both are due times, which the gateway keeps;
 * - closing ends within 5 s, whatever hangs.
 */
export interface PlatformAdapter extends AsyncDisposable {
  /** Opens the one connection by which messages come. The one before is closed, or given up, by then. */
  connect(options: ConnectOptions): Promise<ConnectResult>;
  send(message: OutboundMessage, signal: AbortSignal): Promise<SendResult>;
  /** With `canEdit`: gives a message of ours another text. One that says so already counts as sent. */
  edit?(message: OutboundEdit, signal: AbortSignal): Promise<SendResult>;
  remove?(at: MessageRef, signal: AbortSignal): Promise<SendResult>;
  /**
   * With `read_back`: whether a message with this key is there, sent since that time. With `key`: only where some messages have
   * none, and gives `untold` for those, `absent` for all others.
   */
  findSent?(message: OutboundMessage, since: number, signal: AbortSignal): Promise<FindSentResult>;
  showTyping?(place: ChatPlace, signal: AbortSignal): Promise<void>;
  /** Shows what became of a message of theirs; `none` takes it back. */
  react?(at: MessageRef, reaction: Reaction, signal: AbortSignal): Promise<void>;
  /** Tells the service that a press was heard, with a word for the presser. Services that want it in seconds get it before it is acted on. */
  answerPress?(handle: Json, words: string | undefined, signal: AbortSignal): Promise<void>;
  /** Loads a file of an inbound message into `path`; never writes more than `maxBytes`. */
  download(media: InboundMedia, to: { readonly path: string; readonly maxBytes: number }, signal: AbortSignal): Promise<DownloadResult>;
  /** Chats it can see, for the directory of names. Absent where a service has no such list. */
  listChats?(signal: AbortSignal): Promise<readonly Chat[]>;
  /** Makes the service's menu of commands this one: by difference, and never in the way of connecting. */
  publishCommands?(commands: readonly MenuCommand[], signal: AbortSignal): Promise<void>;
}

export interface ConnectOptions {
  /** What the connection before left to go on from (`ConnectionEnd.resume`); absent: a fresh login. */
  readonly resume?: Json;
  /** How far was received, by scope, as events brought it along. Empty only at the very first start: then it begins with now. */
  readonly cursors: readonly Cursor[];
  /** Ids of people who may write in private, as far as they are known by name: their first words may have come while nobody was connected. */
  readonly people?: readonly string[];
  /** Aborts the connecting, and the connection. */
  readonly signal: AbortSignal;
}
export type ConnectResult =
  | { readonly type: 'connected'; readonly connection: PlatformConnection }
  | ({ readonly type: 'failed' } & ConnectionEnd);

/**
 * One connection, from its login to its end. It never comes back by itself: the gateway opens the next one.
 *
 * Promises:
 * - a batch that was given has been committed when the next is asked for, and only then does the service hear of it (an offset,
 *   an acknowledgement): a batch that was given and never followed comes again, in this connection's successor;
 * - order is kept in each chat, also between what is caught up and what is live: live events are held until `catchUp` is over;
 * - `progress` moves only with what was received: a completed poll, an answered ping, a frame. Sending never moves it;
 * - closing is bounded by 5 s and leaves no socket.
 */
export interface PlatformConnection extends AsyncDisposable {
  readonly account: PlatformIdentity;
  /** What came since the cursors while nobody was connected, oldest first in each chat; nothing where the service itself brings it again. */
  catchUp(): AsyncIterable<EventBatch>;
  /** What comes now. Ends with the connection. */
  events(): AsyncIterable<EventBatch>;
  /** When something was last received, by `performance.now()` of this thread. */
  progress(): number;
  /** Resolves when the connection is over, and never rejects. */
  readonly ended: Promise<ConnectionEnd>;
}
export type EventBatch = readonly PlatformEvent[];
/** Who we are there. */
export interface PlatformIdentity {
  readonly id: string;
  readonly name: string;
}
export interface ConnectionEnd {
  /** In words for the log and `hermes gateway status`. */
  readonly why: string;
  /** `broken`: connect again. `busy`: another program uses this credential. `refused`: the settings are wrong, and trying again does not help. */
  readonly kind: 'closed' | 'broken' | 'busy' | 'refused';
  /** The next connection may go on from here. */
  readonly resume?: Json;
  /** Not before this many milliseconds. */
  readonly retryAfterMs?: number;
  /** Of a broken one: not later than this many milliseconds. It is the service that tries to reach us, and it can only while we are connected. */
  readonly retryWithinMs?: number;
}

/** How far one stream of events was received. Opaque to everybody but the adapter; kept for each scope in the commit of its event. */
export interface Cursor {
  /** `updates`, or the id of a chat. */
  readonly scope: string;
  readonly value: string;
  /**
   * So many milliseconds after it was last written it may be forgotten, for a place that many come and go of, such as a thread.
   * Then the adapter must not read what it told of again: its event keys may be forgotten too. Without it, it is kept for good.
   */
  readonly keepMs?: number;
}

/** Something that happened there. */
export type PlatformEvent = InboundMessage | ButtonPress | ChatMove | CursorNote;
interface EventFacts {
  /**
   * Made by the adapter: equal for the live, the redelivered and the backfilled copy of one event, and different for any other
   * event of this account.
   */
  readonly key: string;
  readonly chat: Chat;
  readonly sender: Sender;
  /** By the service's clock, in milliseconds since the epoch. */
  readonly sentAt: number;
  readonly cursor?: Cursor;
}
export interface InboundMessage extends EventFacts {
  readonly type: 'message';
  readonly messageId: string;
  /**
   * What the sender wrote, as Markdown where the service tells its look; without the mention that called us. Words of others that
   * come with it stand in `foreign` alone, and may leave this empty.
   */
  readonly text: string;
  /** What the sender only hands on. It commands nothing, answers nothing and pairs nobody: the model reads it as words from outside. */
  readonly foreign?: readonly ForeignPart[];
  /** What it repeats of earlier messages, as mails do, and what is not part of `text`. Kept with it; the sender could write anything there. */
  readonly quoted?: string;
  /** It is meant for us: a private chat, a mention, a reply to us, a thread we are in. Others are there to be heard, not answered. */
  readonly isAddressed: boolean;
  /** It takes the place of an earlier message with this id. */
  readonly isEdit?: true;
  /** Of an edit: the key of the message that it changes. */
  readonly edits?: string;
  /**
   * When its words became these; absent for words that were never changed. A message that is caught up may have its new words
   * already: the edit, which may come as well, says nothing new then.
   */
  readonly editedAt?: number;
  readonly replyTo?: QuotedMessage;
  /** The sender's own files. */
  readonly media: readonly InboundMedia[];
  /** It was given as a command of the service's own menu: `text` is what would be typed (`/status`). */
  readonly isCommand?: true;
  /** What the service needs for an answer to this very event (an interaction token). Goes back in `OutboundMessage.handle`. */
  readonly handle?: Json;
  /** Messages with the same group are one album. */
  readonly group?: string;
  /** What the owner's settings make of it, where a program sent it (`isMachine`). */
  readonly task?: InboundTask;
  /** It is kept now and worked on so much later, because more came than are worked on at once. */
  readonly delayMs?: number;
}
/** Words and files of a message that are not the sender's own, although the sender sent them. */
export interface ForeignPart {
  /**
   * `forward`: a message of somebody else, or an earlier one, that was forwarded or shared. `quote`: quotations; one between the
   * sender's lines has a number, `[quotation 1]`, by which both name it. `bot`: a bot made it in the sender's name (an inline bot).
   */
  readonly origin: 'forward' | 'quote' | 'bot';
  /** Who wrote it, as the service shows it. Whoever has the name chose it. */
  readonly author?: string;
  readonly text: string;
  readonly media: readonly InboundMedia[];
}
/** What is to be done with what a program sent. `text` of its message has both in one piece. */
export interface InboundTask {
  /** What it came by, as people call it: `Webhook github`. */
  readonly label: string;
  /** The owner's own words. Names in braces stand for values. */
  readonly instructions: string;
  /** What the program sent for them: words of others. Empty when nothing of it is wanted. */
  readonly values: string;
  /** Where the result goes, as a target is typed (`telegram`, `webhook:alerts`). Absent: into the chat of the message itself. */
  readonly deliver?: string;
  /** `text` itself is the result: no agent sees it. */
  readonly isDirect?: true;
  /** In place of what the platform has. */
  readonly toolsets?: readonly string[];
  /** Skills to follow, by name. */
  readonly skills?: readonly string[];
}
/** A button of a card of ours was pressed. */
export interface ButtonPress extends EventFacts {
  readonly type: 'press';
  /** The card. */
  readonly messageId: string;
  readonly value: string;
  readonly handle?: Json;
}
/** A chat goes on under another id: routes, cursors, access and home channel follow it. */
export interface ChatMove extends EventFacts {
  readonly type: 'moved';
  readonly to: ChatPlace;
}
/** Only a cursor, for what brings no event of its own. */
export interface CursorNote {
  readonly type: 'cursor';
  readonly cursor: Cursor;
}
export interface QuotedMessage {
  readonly messageId: string;
  readonly text?: string;
  readonly isOurs: boolean;
}
export interface Sender {
  /** Never a name: access goes by it. */
  readonly id: string;
  /** As shown to people. Whoever has it chose it. */
  readonly name?: string;
  readonly isBot: boolean;
  /** Nobody vouches for the id: whoever wrote may have chosen it. It opens nothing that a list of ids or a pairing opens. */
  readonly isUnverified?: true;
  /** Further ids of the same person at this service. */
  readonly otherIds?: readonly string[];
  /** Roles the service vouches for, by id. */
  readonly roles?: readonly string[];
}

/** Where a text goes. */
export interface ChatPlace {
  readonly chatId: string;
  /** A topic or thread of it that is a conversation of its own. */
  readonly threadId?: string;
}
export interface Chat extends ChatPlace {
  readonly type: ChatType;
  /** Written by others, as are topic and parent name. */
  readonly name?: string;
  readonly topic?: string;
  /** The channel a thread belongs to. */
  readonly parentId?: string;
  /** It was made for one message, and nobody writes there again. */
  readonly isOneOff?: true;
}
export type ChatType = 'private' | 'group' | 'channel' | 'thread';
export interface MessageRef extends ChatPlace {
  readonly messageId: string;
}

export type MediaKind = 'image' | 'voice' | 'audio' | 'video' | 'document' | 'sticker';
export interface InboundMedia {
  readonly kind: MediaKind;
  readonly name?: string;
  readonly mime?: string;
  /** As the service says; absent where it does not. */
  readonly bytes?: number;
  /** What `download` needs to find it. */
  readonly handle: Json;
}
export type DownloadResult =
  | { readonly type: 'done'; readonly bytes: number; readonly mime?: string }
  | { readonly type: 'too_large' }
  | { readonly type: 'failed'; readonly why: string; readonly retry: boolean };

export interface OutboundMessage extends ChatPlace {
  readonly content: OutboundContent;
  /** The message it answers, shown as a reply where the service has that. */
  readonly replyTo?: string;
  /** Its identity: the same at every attempt, different for every other message. At most 25 characters of `[a-z0-9]`. */
  readonly key: string;
  /** From the event it answers. */
  readonly handle?: Json;
}
export interface OutboundEdit extends MessageRef {
  readonly content: Extract<OutboundContent, { type: 'text' | 'card' }>;
  readonly handle?: Json;
}
export type OutboundContent =
  /** Markdown; the adapter renders it, and sends the plain words when the service refuses the look. */
  | { readonly type: 'text'; readonly markdown: string }
  /** A question with buttons. Without buttons the service offers none any more. */
  | { readonly type: 'card'; readonly markdown: string; readonly buttons: readonly CardButton[] }
  | { readonly type: 'media'; readonly media: OutboundMedia; readonly caption?: string };
export interface CardButton {
  readonly label: string;
  readonly value: string;
  readonly look?: 'good' | 'bad';
}
/** A file of this machine; it does not change while it is sent. */
export interface OutboundMedia {
  readonly kind: Exclude<MediaKind, 'sticker'>;
  readonly path: string;
  readonly name: string;
  readonly mime: string;
  readonly bytes: number;
}

export type SendResult =
  /** It is there. Long texts never make several: they were cut before. */
  | { readonly type: 'sent'; readonly messageId: string }
  /** Not there, and not to be tried before that time. Nothing else may go there either: to the chat, or to all with `account`. */
  | { readonly type: 'limited'; readonly retryAfterMs: number; readonly scope: 'chat' | 'account' }
  /** Surely not there, and worth another try: no connection was made, or the service said it is not able now. */
  | { readonly type: 'not_sent'; readonly why: string }
  /** Nobody knows: the request went out, no answer came. */
  | { readonly type: 'unknown'; readonly why: string }
  /** Not there: the service takes something in this chat only for a while after somebody wrote in it, and that is over. */
  | { readonly type: 'window_closed'; readonly why: string }
  /** The service will never take it. */
  | { readonly type: 'refused'; readonly why: string }
  /** Nobody can be reached there: the bot was removed or blocked, the chat is gone. */
  | { readonly type: 'dead'; readonly why: string }
  /** Send it there. `isNewId`: it is the same chat, which has that id for good; otherwise the id only led to another place. */
  | { readonly type: 'moved'; readonly to: ChatPlace; readonly isNewId?: true };
export type FindSentResult =
  | { readonly type: 'found'; readonly messageId: string }
  | { readonly type: 'absent' }
  /** It could not be asked; later it can. */
  | { readonly type: 'unknown'; readonly why: string }
  /** The service will never tell us: a repeat is marked. */
  | { readonly type: 'untold' };
export type Reaction = 'seen' | 'done' | 'failed' | 'none';
export interface MenuCommand {
  readonly name: string;
  readonly summary: string;
}
