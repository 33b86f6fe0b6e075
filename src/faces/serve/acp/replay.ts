import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { dropRewound, isMessageEntry, type Entry, type LogMessage } from '../../../contracts/entry.ts';
import type { AssistantMessage, ToolMessage, UserMessage } from '../../../contracts/message.ts';
import { toPlan } from './plan.ts';
import { toFinishedCall, toStartedCall, toTextChunk, toThoughtChunk } from './turn-updates.ts';

/** A stored session as its editor would have seen it: what was taken back is left out, and so is what was never said by anybody. */
export function replayEntries(entries: readonly Entry[], cwd: string): readonly SessionUpdate[] {
  const updates = dropRewound(entries)
    .filter(isMessageEntry)
    .flatMap((entry) => replayMessage(entry, cwd));
  const tasks = entries.findLast((entry) => isMessageEntry(entry) && entry.details?.kind === 'tasks');
  return tasks?.type === 'message' && tasks.details?.kind === 'tasks' ? [...updates, toPlan(tasks.details.tasks)] : updates;
}

function replayMessage(entry: LogMessage, cwd: string): readonly SessionUpdate[] {
  const { message, id } = entry;
  if (message.role === 'user') return entry.origin === 'nudge' ? [] : replayUser(message, id);
  return message.role === 'assistant' ? replayAssistant(message, id, cwd) : replayResult(message, entry, cwd);
}

/** The owner's words; what was attached to them is the editor's own. */
const replayUser = ({ content }: UserMessage, messageId: string): readonly SessionUpdate[] =>
  content.flatMap((block): SessionUpdate[] => {
    if (block.type === 'text' && block.trust === 'owner' && block.text !== '')
      return [{ sessionUpdate: 'user_message_chunk', content: { type: 'text', text: block.text }, messageId }];
    if (block.type !== 'image') return [];
    return [{ sessionUpdate: 'user_message_chunk', content: { type: 'image', mimeType: block.mime, data: block.data }, messageId }];
  });

const replayAssistant = ({ content }: AssistantMessage, messageId: string, cwd: string): readonly SessionUpdate[] =>
  content.flatMap((block): SessionUpdate[] => {
    if (block.type === 'tool_call') return [toStartedCall(block, cwd)];
    if (block.text === '') return [];
    return [block.type === 'text' ? toTextChunk(block.text, messageId) : toThoughtChunk(block.text, `${messageId}-thought`)];
  });

const replayResult = (result: ToolMessage, { details }: LogMessage, cwd: string): readonly SessionUpdate[] => [
  toFinishedCall({ callId: result.callId, result, ...(details !== undefined && { details }) }, cwd),
];
