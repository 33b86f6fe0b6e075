import { readPath, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import type {
  CardButton,
  ChatPlace,
  FindSentResult,
  MessageRef,
  OutboundContent,
  OutboundEdit,
  OutboundMessage,
  Reaction,
  SendResult,
} from '../../contracts/platform-adapter.ts';
import { explainFailure, type SlackClient, type SlackFailure } from './client.ts';
import { renderMrkdwn } from './codec.ts';
import { uploadFile } from './files.ts';
import { toTs } from './inbound.ts';
import { pagesOf, type SlackPlace, type SlackWorkspaces } from './workspaces.ts';

export interface SlackSendDeps {
  readonly client: SlackClient;
  readonly workspaces: SlackWorkspaces;
}

/** Our messages carry their key where only apps see it. */
const EVENT_TYPE = 'hermes_message';
const MAX_SECTION = 3_000;
const MAX_LABEL = 75;
/** Before the time a message was first sent by: clocks differ, and a key is found or not whatever else is there. */
const CLOCK_SLACK_MS = 120_000;

/** What Slack's refusals mean for a message. All others: it will never take it. */
const REFUSALS: Readonly<Record<string, 'dead' | 'not_sent'>> = {
  channel_not_found: 'dead',
  not_in_channel: 'dead',
  is_archived: 'dead',
  user_not_found: 'dead',
  user_disabled: 'dead',
  cannot_dm_bot: 'dead',
  messages_tab_disabled: 'dead',
  account_inactive: 'not_sent',
  invalid_auth: 'not_sent',
  not_authed: 'not_sent',
  token_revoked: 'not_sent',
  token_expired: 'not_sent',
};

export function toSendResult(failure: SlackFailure): Exclude<SendResult, { type: 'sent' | 'moved' }> {
  const why = explainFailure(failure);
  if (failure.type === 'limited') return { type: 'limited', retryAfterMs: failure.retryAfterMs, scope: 'chat' };
  if (failure.type === 'unreached') return { type: 'not_sent', why };
  if (failure.type === 'lost') return { type: 'unknown', why };
  return { type: REFUSALS[failure.error] ?? 'refused', why };
}

export async function sendMessage(
  message: OutboundMessage,
  { client, workspaces }: SlackSendDeps,
  signal: AbortSignal,
): Promise<SendResult> {
  const place = await workspaces.locate(message.chatId, signal);
  if (place.type !== 'place') return beforeSending(place);
  const { content, key, threadId } = message;
  if (content.type === 'media') return sendMedia(message, place, client, signal);
  const metadata = { event_type: EVENT_TYPE, event_payload: { key } };
  const params = { channel: place.channel, ...writeContent(content), metadata, ...threadParam(threadId) };
  const post = (changed: JsonObject) => client.call('chat.postMessage', { ...params, ...changed }, { token: place.token, signal });
  const first = await post({});
  // The words without their buttons are better than nothing: a question can be answered by words too.
  const answer = first.type === 'error' && first.error.startsWith('invalid_blocks') ? await post({ blocks: [] }) : first;
  if (answer.type === 'ok') return { type: 'sent', messageId: readStringAt(answer.body, 'ts') ?? '' };
  const result = toSendResult(answer);
  return result.type === 'dead' ? ((await sendByHandle(message, content, client, signal)) ?? result) : result;
}

/** Nothing of it went out yet, so nothing of it is unknown. */
function beforeSending(failure: SlackFailure): SendResult {
  const result = toSendResult(failure);
  return result.type === 'unknown' ? { type: 'not_sent', why: result.why } : result;
}

const threadParam = (threadId: string | undefined): JsonObject => (threadId === undefined ? {} : { thread_ts: threadId });

async function sendMedia(message: OutboundMessage, place: SlackPlace, client: SlackClient, signal: AbortSignal): Promise<SendResult> {
  const { content, key, threadId } = message;
  if (content.type !== 'media') throw new Error(`This is not a file: ${content.type}`);
  const uploaded = await uploadFile(content.media, { client, token: place.token, signal });
  if (uploaded.type !== 'uploaded') return uploaded;
  const words = content.caption === undefined || content.caption === '' ? renderMrkdwn(content.media.name) : renderMrkdwn(content.caption);
  const answer = await client.call(
    'files.completeUploadExternal',
    {
      files: [{ id: uploaded.id, title: content.media.name }],
      channel_id: place.channel,
      // A comment could not carry the key by which the message is found again.
      blocks: [{ type: 'section', block_id: blockIdOf(key), text: { type: 'mrkdwn', text: words.slice(0, MAX_SECTION) } }],
      ...threadParam(threadId),
    },
    { token: place.token, signal },
  );
  if (answer.type !== 'ok') return toSendResult(answer);
  // The answer does not tell which message it became.
  const found = await findSent(message, client.now() - CLOCK_SLACK_MS, place, client, signal);
  return { type: 'sent', messageId: found.type === 'found' ? found.messageId : uploaded.id };
}

const blockIdOf = (key: string): string => `${EVENT_TYPE}-${key}`;

/** A command may be given where the bot is no member: then only its giver can be answered. */
async function sendByHandle(
  { handle }: OutboundMessage,
  content: WordsContent,
  client: SlackClient,
  signal: AbortSignal,
): Promise<SendResult | undefined> {
  const answer = await respond(handle, renderMrkdwn(content.markdown), client, signal);
  if (answer === undefined) return undefined;
  return answer.type === 'ok' ? { type: 'sent', messageId: 'ephemeral' } : toSendResult(answer);
}

async function respond(handle: Json | undefined, text: string, client: SlackClient, signal: AbortSignal) {
  const url = readStringAt(handle, 'response_url');
  if (url === undefined || url === '') return undefined;
  const body = JSON.stringify({ text, response_type: 'ephemeral', replace_original: false });
  return client.post(url, body, { type: 'application/json', signal });
}

export async function answerPress(handle: Json, words: string | undefined, client: SlackClient, signal: AbortSignal): Promise<void> {
  if (words !== undefined) await respond(handle, renderMrkdwn(words), client, signal);
}

type WordsContent = Extract<OutboundContent, { type: 'text' | 'card' }>;

/** The text is what notifications show, and all there is without buttons. */
function writeContent(content: WordsContent): JsonObject {
  const text = renderMrkdwn(content.markdown);
  if (content.type === 'text' || content.buttons.length === 0) return { text, blocks: [] };
  const actions = { type: 'actions', elements: content.buttons.map(writeButton) };
  return { text, blocks: [...splitSections(text).map(writeSection), actions] };
}

const writeSection = (text: string): JsonObject => ({ type: 'section', text: { type: 'mrkdwn', text } });

/** At the end of a line where there is one. */
function splitSections(text: string): string[] {
  if (text.length <= MAX_SECTION) return [text];
  const line = text.lastIndexOf('\n', MAX_SECTION);
  const at = line > 0 ? line : MAX_SECTION;
  return [text.slice(0, at), ...splitSections(text.slice(line > 0 ? at + 1 : at))];
}

const STYLES = { good: 'primary', bad: 'danger' } as const;

const writeButton = ({ label, value, look }: CardButton, index: number): JsonObject => ({
  type: 'button',
  action_id: `hermes_${index}`,
  text: { type: 'plain_text', text: label.length > MAX_LABEL ? `${label.slice(0, MAX_LABEL - 1)}…` : label, emoji: true },
  value,
  ...(look !== undefined && { style: STYLES[look] }),
});

export async function editMessage(edit: OutboundEdit, { client, workspaces }: SlackSendDeps, signal: AbortSignal): Promise<SendResult> {
  const place = await workspaces.locate(edit.chatId, signal);
  if (place.type !== 'place') return beforeSending(place);
  const params = { channel: place.channel, ts: edit.messageId, ...writeContent(edit.content) };
  const answer = await client.call('chat.update', params, { token: place.token, signal });
  return answer.type === 'ok' ? { type: 'sent', messageId: edit.messageId } : toSendResult(answer);
}

export async function removeMessage(at: MessageRef, { client, workspaces }: SlackSendDeps, signal: AbortSignal): Promise<SendResult> {
  const place = await workspaces.locate(at.chatId, signal);
  if (place.type !== 'place') return beforeSending(place);
  const answer = await client.call('chat.delete', { channel: place.channel, ts: at.messageId }, { token: place.token, signal });
  const isGone = answer.type === 'ok' || (answer.type === 'error' && answer.error === 'message_not_found');
  return isGone ? { type: 'sent', messageId: at.messageId } : toSendResult(answer);
}

export async function findMessage(
  message: OutboundMessage,
  since: number,
  deps: SlackSendDeps,
  signal: AbortSignal,
): Promise<FindSentResult> {
  const place = await deps.workspaces.locate(message.chatId, signal);
  if (place.type !== 'place') return notFound(place);
  return findSent(message, deps.client.now(since) - CLOCK_SLACK_MS, place, deps.client, signal);
}

/** Looks for the key in what is there since then. */
async function findSent(
  { key, threadId }: OutboundMessage,
  from: number,
  { channel, token }: SlackPlace,
  client: SlackClient,
  signal: AbortSignal,
): Promise<FindSentResult> {
  const [method, thread] = threadId === undefined ? ['conversations.history', {}] : ['conversations.replies', { ts: threadId }];
  const params = { channel, ...thread, oldest: toTs(from), include_all_metadata: true, limit: 200 };
  for await (const answer of pagesOf(client, method, params, { token, signal })) {
    if (answer.type !== 'ok') return notFound(answer);
    const { messages } = answer.body;
    const found = Array.isArray(messages) ? messages.find((message) => hasKey(message, key)) : undefined;
    const messageId = readStringAt(found, 'ts');
    if (messageId !== undefined) return { type: 'found', messageId };
  }
  return { type: 'absent' };
}

/** We may be let write where we may not read. A token that is not accepted now may be mended. */
function notFound(failure: SlackFailure): FindSentResult {
  const mayTellLater = failure.type !== 'error' || REFUSALS[failure.error] === 'not_sent';
  return mayTellLater ? { type: 'unknown', why: explainFailure(failure) } : { type: 'untold' };
}

const hasKey = (message: Json, key: string): boolean =>
  readStringAt(message, 'metadata', 'event_payload', 'key') === key || readPath(message, 'blocks', 0, 'block_id') === blockIdOf(key);

/** Shown beside the name of the bot, in a thread. Slack takes it away with the next message. */
export async function showStatus({ chatId, threadId }: ChatPlace, status: string, deps: SlackSendDeps, signal: AbortSignal): Promise<void> {
  if (threadId === undefined) return;
  const place = await deps.workspaces.locate(chatId, signal);
  if (place.type !== 'place') return;
  const params = { channel_id: place.channel, thread_ts: threadId, status };
  await deps.client.call('assistant.threads.setStatus', params, { token: place.token, signal, timeoutMs: 5_000 });
}

/** Reactions that are added and taken back, in this order. */
const REACTIONS: Readonly<Record<Reaction, { readonly add?: string; readonly remove: readonly string[] }>> = {
  seen: { add: 'eyes', remove: [] },
  done: { add: 'white_check_mark', remove: ['eyes'] },
  failed: { add: 'x', remove: ['eyes'] },
  none: { remove: ['eyes', 'white_check_mark', 'x'] },
};

export async function showReaction(
  at: MessageRef,
  reaction: Reaction,
  { client, workspaces }: SlackSendDeps,
  signal: AbortSignal,
): Promise<void> {
  const place = await workspaces.locate(at.chatId, signal);
  if (place.type !== 'place') return;
  const { add, remove } = REACTIONS[reaction];
  const call = (method: string, name: string) =>
    client.call(method, { channel: place.channel, timestamp: at.messageId, name }, { token: place.token, signal, timeoutMs: 10_000 });
  if (add !== undefined) await call('reactions.add', add);
  await Promise.all(remove.map((name) => call('reactions.remove', name)));
}
