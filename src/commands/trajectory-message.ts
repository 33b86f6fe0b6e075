import type { TrajectoryMessage, TrajectoryTool } from '../contracts/environment.ts';
import { collectToolCalls, joinTextBlocks, type AssistantMessage, type Message, type ToolCall } from '../contracts/message.ts';
import type { ToolDefinition } from '../contracts/provider.ts';

/** A message as OpenAI's API writes it. */
export function toTrajectoryMessage(message: Message): TrajectoryMessage {
  if (message.role === 'user') return { role: 'user', content: joinTextBlocks(message) };
  if (message.role === 'tool') return { role: 'tool', content: joinTextBlocks(message), tool_call_id: message.callId, name: message.name };
  const calls = collectToolCalls(message);
  const reasoning = readReasoning(message);
  return {
    role: 'assistant',
    content: joinTextBlocks(message),
    ...(reasoning !== null && { reasoning_content: reasoning }),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) => ({
        id: call.id,
        type: 'function' as const,
        function: { name: call.name, arguments: readArguments(call) },
      })),
    }),
  };
}

export const toTrajectoryTool = ({ name, description, input }: ToolDefinition): TrajectoryTool => ({
  type: 'function',
  function: { name, description, parameters: input },
});

/** As the model wrote them, where they could not be read. */
export const readArguments = ({ malformed, input }: ToolCall): string => malformed ?? JSON.stringify(input);

export function readReasoning({ content }: AssistantMessage): string | null {
  const thoughts = content.flatMap((block) => (block.type === 'thinking' ? [block.text] : []));
  return thoughts.length === 0 ? null : thoughts.join('\n');
}
