import type { Entry } from '../contracts/entry.ts';
import { collectToolCalls, type AssistantMessage } from '../contracts/message.ts';

/**
 * Gives each call of a reply an id no call of this session has had. Some servers count from zero in every reply, yet results,
 * cells and spilled files find their call by its id, and providers refuse a transcript in which one stands twice.
 */
export function withOwnIds(message: AssistantMessage, entries: readonly Entry[]): AssistantMessage {
  if (collectToolCalls(message).length === 0) return message;
  const used = new Set(entries.flatMap(callIds));
  const content = message.content.map((block) => (block.type === 'tool_call' ? { ...block, id: take(block.id, used) } : block));
  return { ...message, content };
}

const callIds = (entry: Entry): string[] =>
  entry.type === 'message' && entry.message.role === 'assistant' ? collectToolCalls(entry.message).map((call) => call.id) : [];

function take(id: string, used: Set<string>): string {
  const stem = id.trim() === '' ? 'call' : id;
  let free = stem;
  for (let copy = 2; used.has(free); copy++) free = `${stem}_${copy}`;
  used.add(free);
  return free;
}
