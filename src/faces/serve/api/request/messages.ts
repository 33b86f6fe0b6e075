import { isObject, readPath, readStringAt } from '../../../../base/json.ts';
import type { Json } from '../../../../base/json-types.ts';
import type { ImageBlock, TextBlock } from '../../../../contracts/message.ts';
import { createBadRequest } from '../http/errors.ts';
import { readContent, type LoadImage } from './content.ts';
import { beginPrefix, extendPrefix } from '../runs/prefix.ts';

/** A message as a client sent it. */
export interface ClientMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly blocks: readonly (TextBlock | ImageBlock)[];
  readonly words: string;
  /** The call that it is the result of. */
  readonly callId?: string;
}
/** A conversation as a client sent it: instructions, what was said before, and what is asked now. */
export interface ClientConversation {
  readonly system: string;
  readonly history: readonly ClientMessage[];
  readonly input: ClientMessage;
  /** What the conversation before the input is known by, and with the input. */
  readonly historyPrefix: string;
  readonly prefix: string;
  /** Results of tools at its end, by the ids of their calls. */
  readonly results: ReadonlyMap<string, string>;
}

const MAX_MESSAGES = 2_000;
const TOO_MANY = 'Name the session with X-Hermes-Session-Id and send the last message alone.';
const SYSTEM = new Set(['system', 'developer']);
const ROLES: Readonly<Record<string, ClientMessage['role']>> = { user: 'user', assistant: 'assistant', tool: 'tool', function: 'tool' };

export async function readConversation(messages: readonly Json[], param: string, loadImage: LoadImage): Promise<ClientConversation> {
  if (messages.length === 0) throw createBadRequest('invalid_messages', `"${param}" is empty.`, param);
  if (messages.length > MAX_MESSAGES)
    throw createBadRequest('invalid_messages', `"${param}" has more than ${MAX_MESSAGES} messages. ${TOO_MANY}`, param);
  const [system, said]: [string[], ClientMessage[]] = [[], []];
  for (const [index, message] of messages.entries()) {
    const at = `${param}[${index}]`;
    const read = await readMessage(message, at, loadImage);
    if (read.role === 'system') system.push(read.words);
    else said.push({ ...read, role: read.role });
  }
  const input = said.at(-1);
  if (input?.role !== 'user' && input?.role !== 'tool')
    throw createBadRequest('invalid_messages', `The last of "${param}" must have the role "user" or "tool".`, param);
  if (input.words.trim() === '' && input.role === 'user') throw createBadRequest('invalid_messages', 'The message is empty.', param);
  const results = said.slice(said.findLastIndex(({ role }) => role !== 'tool') + 1);
  return {
    ...joinPrefixes(system.join('\n\n'), said.slice(0, -1), input),
    input,
    results: new Map(results.flatMap(({ callId, words }) => (callId === undefined ? [] : [[callId, words] as const]))),
  };
}

/** The same of a system text and messages that were read already. */
export function joinPrefixes(
  system: string,
  history: readonly ClientMessage[],
  input: ClientMessage,
): Omit<ClientConversation, 'input' | 'results'> {
  const historyPrefix = history.reduce((before, { role, words }) => extendPrefix(before, role, words), beginPrefix(system));
  return { system, history, historyPrefix, prefix: extendPrefix(historyPrefix, input.role, input.words) };
}

interface ReadClientMessage extends Omit<ClientMessage, 'role'> {
  readonly role: ClientMessage['role'] | 'system';
}

async function readMessage(message: Json, param: string, loadImage: LoadImage): Promise<ReadClientMessage> {
  if (!isObject(message)) throw createBadRequest('invalid_messages', `"${param}" must be an object.`, param);
  const named = readStringAt(message, 'role') ?? '';
  const role = SYSTEM.has(named) ? 'system' : Object.hasOwn(ROLES, named) ? ROLES[named] : undefined;
  if (role === undefined)
    throw createBadRequest('invalid_messages', `"${param}.role" is none of those that are supported.`, `${param}.role`);
  const content = await readContent(message['content'], `${param}.content`, loadImage);
  const calls = role === 'assistant' ? describeCalls(readPath(message, 'tool_calls')) : '';
  const callId = role === 'tool' ? readStringAt(message, 'tool_call_id') : undefined;
  return calls === ''
    ? { role, ...content, ...(callId !== undefined && { callId }) }
    : { role, blocks: [...content.blocks, { type: 'text', text: calls, trust: 'owner' }], words: `${content.words}\n${calls}` };
}

/** Calls of a client's own tools, as words: they were not ours. */
const describeCalls = (calls: Json | undefined): string =>
  (Array.isArray(calls) ? calls : [])
    .map((call) => `[called ${readStringAt(call, 'function', 'name') ?? 'a tool'}: ${readStringAt(call, 'function', 'arguments') ?? ''}]`)
    .join('\n');
