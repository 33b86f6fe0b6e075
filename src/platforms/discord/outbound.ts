import { readPath, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import type { CardButton, OutboundContent, OutboundEdit, OutboundMessage, SendResult } from '../../contracts/platform-adapter.ts';
import { renderDiscord } from './render.ts';
import type { DiscordResult } from './rest.ts';
import type { DiscordSettings } from './settings.ts';

const BUTTONS_PER_ROW = 5;
const MAX_LABEL = 80;
const STYLES = { plain: 2, good: 3, bad: 4 } as const;

/** A message as Discord takes it. The same nonce within minutes makes one message. */
export function messageBody(message: OutboundMessage, { allowedMentions }: DiscordSettings): JsonObject {
  const { content, replyTo, key, chatId } = message;
  // Neither a command nor the message that a thread hangs on, which has the id of the thread, is a message of this channel.
  const isMessage = replyTo !== (message.threadId ?? chatId) && readInteractionHandle(message.handle) === undefined;
  return {
    ...contentBody(content),
    nonce: key,
    enforce_nonce: true,
    allowed_mentions: allowedMentions,
    ...(replyTo !== undefined && isMessage && { message_reference: { message_id: replyTo, fail_if_not_exists: false } }),
  };
}

export const editBody = ({ content }: OutboundEdit, { allowedMentions }: DiscordSettings): JsonObject => ({
  components: [],
  ...contentBody(content),
  allowed_mentions: allowedMentions,
});

function contentBody(content: OutboundContent): JsonObject {
  if (content.type === 'media') return { content: renderDiscord(content.caption ?? '') };
  const words = { content: renderDiscord(content.markdown) };
  return content.type === 'card' ? { ...words, components: buttonRows(content.buttons) } : words;
}

function buttonRows(buttons: readonly CardButton[]): Json {
  const wires = buttons.map(({ label, value, look }) => ({
    type: 2,
    style: STYLES[look ?? 'plain'],
    label: label.slice(0, MAX_LABEL).toWellFormed(),
    custom_id: value,
  }));
  const rows = Array.from({ length: Math.ceil(wires.length / BUTTONS_PER_ROW) }, (_, row) =>
    wires.slice(row * BUTTONS_PER_ROW, (row + 1) * BUTTONS_PER_ROW),
  );
  return rows.map((components) => ({ type: 1, components }));
}

/** Codes that say that nobody can be reached there: no such channel, guild or user, no access, no permission, closed to bots. */
const DEAD_CODES: ReadonlySet<number> = new Set([10003, 10004, 10013, 50001, 50007, 50013, 50278]);
/** Seen by one person alone. */
export const EPHEMERAL = 1 << 6;
export const UNKNOWN_CHANNEL = 10003;
export const UNKNOWN_MESSAGE = 10008;
export const THREAD_EXISTS = 160004;

/** What came of a send, an edit or a removal. */
export function sendResult(answer: DiscordResult, messageId?: string): SendResult {
  switch (answer.type) {
    case 'ok':
      return { type: 'sent', messageId: messageId ?? readStringAt(answer.body, 'id') ?? '' };
    case 'limited':
      return { type: 'limited', retryAfterMs: answer.retryAfterMs, scope: answer.isGlobal ? 'account' : 'chat' };
    case 'unreached':
      return { type: 'not_sent', why: answer.why };
    case 'lost':
      return { type: 'unknown', why: answer.why };
    case 'refused':
      if (DEAD_CODES.has(answer.code)) return { type: 'dead', why: answer.why };
      // A token that is not accepted says nothing about the message.
      return { type: answer.status === 401 ? 'not_sent' : 'refused', why: answer.why };
  }
}

/** The interaction an event brought along, by which it is answered. */
export interface InteractionHandle {
  readonly id: string;
  readonly token: string;
  readonly app: string;
}
export function readInteractionHandle(handle: Json | undefined): InteractionHandle | undefined {
  const found = readPath(handle, 'interaction');
  const [id, token, app] = [readStringAt(found, 'id'), readStringAt(found, 'token'), readStringAt(found, 'app')];
  return id === undefined || token === undefined || app === undefined ? undefined : { id, token, app };
}

/** The thread that a message is to get for its answer. */
export interface ThreadPlan {
  readonly parent: string;
  readonly name: string;
}
export function readThreadPlan(handle: Json | undefined): ThreadPlan | undefined {
  const parent = readStringAt(handle, 'thread', 'parent');
  return parent === undefined ? undefined : { parent, name: readStringAt(handle, 'thread', 'name') ?? '' };
}
