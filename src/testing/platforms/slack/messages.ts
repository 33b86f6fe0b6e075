import { isObject } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import {
  findOr,
  nextTs,
  SlackRefusal,
  type SlackBot,
  type SlackChannel,
  type SlackFile,
  type SlackMessage,
  type SlackWorld,
} from './world.ts';

/** What is said, by a person or a bot. */
export interface NewSlackMessage {
  readonly user: string;
  readonly bot?: SlackBot;
  readonly text: string;
  readonly blocks?: readonly Json[];
  readonly metadata?: JsonObject;
  readonly threadTs?: string;
  readonly files?: readonly SlackFile[];
  readonly attachments?: readonly Json[];
  readonly onlyFor?: string;
  readonly request?: number;
}

const MAX_TEXT = 40_000;
const MAX_BLOCKS = 50;
const MAX_SECTION = 3_000;
const MAX_BUTTON_TEXT = 75;

export function postMessage(world: SlackWorld, channel: SlackChannel, given: NewSlackMessage): SlackMessage {
  const { request, blocks = [], files = [], ...said } = given;
  checkWords(said.text, blocks, files.length + (said.attachments?.length ?? 0));
  if (said.threadTs !== undefined) findMessage(channel, said.threadTs, 'thread_not_found');
  const message: SlackMessage = {
    ...said,
    ts: nextTs(world),
    channel: channel.id,
    files,
    blocks: withIds(blocks),
    reactions: [],
    history: [revise(world, said.text, request)],
    isDeleted: false,
  };
  channel.messages.push(message);
  return message;
}

export interface SlackEdit {
  readonly text?: string;
  readonly blocks?: readonly Json[];
  readonly request?: number;
}

export function editMessage(world: SlackWorld, message: SlackMessage, { text = message.text, blocks, request }: SlackEdit): void {
  checkWords(text, blocks ?? message.blocks, message.files.length);
  message.text = text;
  if (blocks !== undefined) message.blocks = withIds(blocks);
  message.editedTs = nextTs(world);
  message.history.push(revise(world, text, request));
}

const revise = (world: SlackWorld, text: string, request: number | undefined) => ({
  text,
  at: world.now(),
  ...(request !== undefined && { request }),
});

export function findMessage(channel: SlackChannel, ts: string, refusal = 'message_not_found'): SlackMessage {
  return findOr(channel.messages, (message) => message.ts === ts && !message.isDeleted && message.onlyFor === undefined, refusal);
}

function checkWords(text: string, blocks: readonly Json[], files: number): void {
  if (text === '' && blocks.length === 0 && files === 0) throw new SlackRefusal('no_text');
  if (text.length > MAX_TEXT) throw new SlackRefusal('msg_too_long');
  if (blocks.length > MAX_BLOCKS || !blocks.every(isAllowed)) throw new SlackRefusal('invalid_blocks');
}

function isAllowed(block: Json): boolean {
  if (!isObject(block) || typeof block['type'] !== 'string' || !isShort(block['block_id'], 255)) return false;
  if (block['type'] === 'section') return isText(block['text'], MAX_SECTION);
  if (block['type'] !== 'actions') return true;
  const elements = Array.isArray(block['elements']) ? block['elements'] : [];
  return elements.length > 0 && elements.length <= 25 && elements.every((button) => isButton(button));
}

function isButton(button: Json): boolean {
  if (!isObject(button)) return false;
  if (button['type'] !== 'button') return true;
  return isText(button['text'], MAX_BUTTON_TEXT) && isShort(button['value'], 2000);
}

const isShort = (text: Json | undefined, limit: number) => text === undefined || (typeof text === 'string' && text.length <= limit);

function isText(text: Json | undefined, limit: number): boolean {
  const words = isObject(text) ? text['text'] : undefined;
  return typeof words === 'string' && words.length > 0 && words.length <= limit;
}

/** Slack names blocks that came without a name. */
const withIds = (blocks: readonly Json[]): Json[] =>
  blocks.map((block, index) => (isObject(block) && block['block_id'] === undefined ? { ...block, block_id: `b${index}` } : block));

export interface SlackPage {
  readonly messages: readonly SlackMessage[];
  readonly next?: string;
}
export interface SlackSpan {
  readonly oldest?: string | undefined;
  readonly latest?: string | undefined;
  readonly inclusive: boolean;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Top-level messages, the newest first. */
export function pageHistory(channel: SlackChannel, span: SlackSpan): SlackPage {
  const all = channel.messages.filter((message) => isListed(message) && isRoot(message) && isWithin(message.ts, span));
  return cutPage(all.toReversed(), span, (ts, last) => ts < last);
}

/** A thread, the oldest first; its root is part of every first page, whatever the span says. */
export function pageReplies(channel: SlackChannel, root: string, span: SlackSpan): SlackPage {
  const parent = findMessage(channel, root, 'thread_not_found');
  const replies = channel.messages.filter((message) => isListed(message) && message.threadTs === root && message.ts !== root);
  const wanted = replies.filter((message) => isWithin(message.ts, span));
  return cutPage([parent, ...wanted], span, (ts, last) => ts > last);
}

const isListed = (message: SlackMessage) => !message.isDeleted && message.onlyFor === undefined;
const isRoot = ({ threadTs, ts }: SlackMessage) => threadTs === undefined || threadTs === ts;

function isWithin(ts: string, { oldest, latest, inclusive }: SlackSpan): boolean {
  const isAfter = oldest === undefined || ts > oldest || (inclusive && ts === oldest);
  return isAfter && (latest === undefined || ts < latest || (inclusive && ts === latest));
}

function cutPage(all: readonly SlackMessage[], { limit, cursor }: SlackSpan, isBeyond: (ts: string, last: string) => boolean): SlackPage {
  const last = cursor === undefined ? undefined : readCursor(cursor);
  const left = last === undefined ? all : all.filter(({ ts }) => isBeyond(ts, last));
  const messages = left.slice(0, limit);
  const end = messages.at(-1);
  return { messages, ...(end !== undefined && left.length > limit && { next: writeCursor(end.ts) }) };
}

export const writeCursor = (place: string): string => Buffer.from(`next:${place}`).toString('base64');

export function readCursor(cursor: string): string {
  const [word, place] = Buffer.from(cursor, 'base64').toString().split(':', 2);
  if (word !== 'next' || place === undefined) throw new SlackRefusal('invalid_cursor');
  return place;
}
