import type { JsonObject } from '../../../../base/json-types.ts';
import type { LogMessage } from '../../../../contracts/entry.ts';
import { collectToolCalls, joinTextBlocks } from '../../../../contracts/message.ts';
import type { Session } from '../../../../contracts/session-store.ts';

const toSeconds = (ms: number): number => Math.floor(ms / 1_000);

export const toSessionObject = (session: Session): JsonObject => ({
  id: session.id,
  object: 'hermes.session',
  title: session.title ?? null,
  source: session.source,
  model: session.model,
  messages: session.messages,
  started_at: toSeconds(session.startedAt),
  updated_at: toSeconds(session.updatedAt),
  parent_id: session.parent?.sessionId ?? null,
  running: session.unfinished,
});

/** A message as its reader sees it: words, pictures as their kind, calls. What only the model is sent is left out. */
export function toMessageObject({ id, seq, at, origin, message }: LogMessage): JsonObject {
  const calls = message.role === 'assistant' ? collectToolCalls(message) : [];
  const images = message.content.flatMap((block) => (block.type === 'image' ? [block.mime] : []));
  return {
    id,
    object: 'hermes.message',
    seq,
    role: message.role,
    origin,
    content: joinTextBlocks(message),
    created_at: toSeconds(at),
    ...(images.length > 0 && { images }),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: JSON.stringify(call.input) },
      })),
    }),
    ...(message.role === 'tool' && { tool_call_id: message.callId, name: message.name, failed: message.failed }),
  };
}
