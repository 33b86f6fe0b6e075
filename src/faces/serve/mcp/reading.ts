import { UsageError } from '../../../base/errors.ts';
import { toSessionRow } from '../../../commands/session-rows.ts';
import { toSnakeCase } from '../../../base/snake-case.ts';
import { createRewoundCheck, isMessageEntry, type LogMessage } from '../../../contracts/entry.ts';
import { joinTextBlocks, type FileBlock, type ImageBlock } from '../../../contracts/message.ts';
import type { ServedAttachment, ServeDeps, ConversationTool } from './contract.ts';
import { defineConversationTool } from './define-tool.ts';
import { findVisibleSession, isVisible, listVisibleSessions } from './sessions.ts';

const MAX_ROWS = 200;
/** base64 characters of one answer; a client that takes more is rare. */
const MAX_ATTACHED = 12_000_000;

const CONVERSATION = { kind: 'text', required: true, description: 'the id of a conversation, or its first characters' } as const;

/** Tools that look at what is stored and change nothing. */
export const createReadingTools = (deps: ServeDeps): readonly ConversationTool[] => [
  defineConversationTool({
    name: 'conversations_list',
    description: 'Lists the conversations of this Hermes agent, last used first. With `search`, those that contain the words.',
    readOnly: true,
    parameters: {
      limit: { kind: 'whole_number', default: 20, description: `how many to list, at most ${MAX_ROWS}` },
      search: { kind: 'text', description: 'words to search for in all messages' },
      source: { kind: 'text', description: 'only those that this program opened: cli, tui, telegram, cron …' },
    },
    run: async ({ limit, search, source }) => {
      const most = Math.min(limit, MAX_ROWS);
      const found = search === undefined ? await listVisibleSessions(deps, most, source) : await searchSessions(search, most, deps);
      return { data: { conversations: found.filter((one) => source === undefined || one.source === source).map(toSessionRow) } };
    },
  }),
  defineConversationTool({
    name: 'conversation_get',
    description: 'Shows one conversation: title, model, times, how its last turn ended, what it cost, and how many messages wait for it.',
    readOnly: true,
    parameters: { conversation_id: CONVERSATION },
    run: async ({ conversation_id: ref }) => {
      const session = await findVisibleSession(ref, deps);
      const { store } = deps.host;
      const [spent, waiting] = [await store.spent(session.id), await store.waiting(session.id)];
      return { data: { conversation: toSessionRow(session), spent: toSnakeCase(spent), waiting: waiting.length } };
    },
  }),
  defineConversationTool({
    name: 'messages_read',
    description:
      'Reads messages of a conversation in their order: the last ones, or those after a position. `next_after_seq` continues; it is absent at the end.',
    readOnly: true,
    parameters: {
      conversation_id: CONVERSATION,
      after_seq: { kind: 'whole_number', description: 'only messages after this position' },
      limit: { kind: 'whole_number', default: 50, description: `how many to read, at most ${MAX_ROWS}` },
    },
    run: async ({ conversation_id: ref, after_seq: after, limit }) => ({
      data: await readMessages(ref, after, Math.min(limit, MAX_ROWS), deps),
    }),
  }),
  defineConversationTool({
    name: 'attachments_fetch',
    description: 'Fetches the images and files of one message.',
    readOnly: true,
    parameters: { conversation_id: CONVERSATION, message_id: { kind: 'text', required: true, description: 'the id of a message' } },
    run: async ({ conversation_id: ref, message_id: id }) => fetchAttachments(ref, id, deps),
  }),
  defineConversationTool({
    name: 'channels_list',
    description: 'Lists the chats of the messaging gateway that the agent knows: results of jobs and messages can go there.',
    readOnly: true,
    parameters: {},
    run: async () => ({ data: { channels: await listChannels(deps) } }),
  }),
];

/** A client that is shown sessions of some programs sees no chats of others. */
async function listChannels({ chats, rules: { sources } }: ServeDeps): Promise<readonly unknown[]> {
  const known = await chats.list();
  return known
    .filter(({ target }) => sources === undefined || sources.includes(target.split(':')[0] ?? ''))
    .map((chat) => toSnakeCase(chat));
}

async function searchSessions(text: string, limit: number, deps: ServeDeps) {
  const hits = await deps.host.store.search({ text, limit: MAX_ROWS });
  const ids = [...new Set(hits.map(({ sessionId }) => sessionId))];
  const found = (await Promise.all(ids.map((id) => deps.host.store.find(id)))).flat();
  return found.filter((session) => isVisible(session, deps)).slice(0, limit);
}

async function readMessages(ref: string, after: number | undefined, limit: number, deps: ServeDeps) {
  const session = await findVisibleSession(ref, deps);
  const entries = await deps.host.store.entries(session.id);
  const isRewound = createRewoundCheck(entries);
  const all = entries.filter(isMessageEntry);
  const rest = after === undefined ? all.slice(-limit) : all.filter(({ seq }) => seq > after);
  const shown = rest.slice(0, limit);
  const messages = shown.map((entry) => toMessageRow(entry, isRewound(entry.seq)));
  const more = rest.length > shown.length ? { next_after_seq: shown.at(-1)?.seq } : {};
  return { conversation_id: session.id, messages, ...more };
}

/** A message as a client reads it: its words, its calls, and what hangs on it by name alone. */
export function toMessageRow(entry: LogMessage, rewound = false): unknown {
  const { id, seq, at, origin, message } = entry;
  const calls = message.role === 'assistant' ? message.content.flatMap((block) => (block.type === 'tool_call' ? [block] : [])) : [];
  const attached = listAttached(entry).map((block) => ({
    kind: block.type,
    mime: block.mime,
    bytes: Math.floor((block.data.length * 3) / 4),
  }));
  return {
    id,
    seq,
    at: new Date(at).toISOString(),
    role: message.role,
    origin,
    text: joinTextBlocks(message),
    ...(calls.length > 0 && { tool_calls: calls.map(({ id: callId, name, input }) => ({ id: callId, name, input })) }),
    ...(message.role === 'tool' && { tool: message.name, call_id: message.callId, failed: message.failed }),
    ...(attached.length > 0 && { attachments: attached }),
    ...(rewound && { taken_back: true }),
  };
}

const listAttached = ({ message }: LogMessage): readonly (ImageBlock | FileBlock)[] =>
  message.content.filter((block): block is ImageBlock | FileBlock => block.type === 'image' || block.type === 'file');

async function fetchAttachments(ref: string, id: string, deps: ServeDeps) {
  const session = await findVisibleSession(ref, deps);
  const entry = (await deps.host.store.entries(session.id)).filter(isMessageEntry).find((one) => one.id === id);
  if (entry === undefined) throw new UsageError(`conversation ${session.id} has no message ${id}. messages_read shows their ids.`);
  const found = listAttached(entry).map((block, index) => toAttachment(block, `${id}-${index + 1}`));
  let room = MAX_ATTACHED;
  const attachments = found.filter(({ data }) => (room -= data.length) >= 0);
  const leftOut = found.length - attachments.length;
  return {
    data: { message_id: id, attachments: attachments.map(({ kind, name, mime }) => ({ kind, name, mime })), left_out: leftOut },
    attachments,
  };
}
const toAttachment = (block: ImageBlock | FileBlock, name: string): ServedAttachment => ({
  kind: block.type,
  name: block.type === 'file' ? block.name : name,
  mime: block.mime,
  data: block.data,
});
