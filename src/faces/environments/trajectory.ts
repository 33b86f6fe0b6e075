import { isMessageEntry, type Entry, type EntryOrigin } from '../../contracts/entry.ts';
import type { AgentResult, TrajectoryMessage, TrajectoryTool, ToolErrorRecord } from '../../contracts/environment.ts';
import { collectToolCalls, joinTextBlocks, type AssistantMessage, type Message, type ToolCall } from '../../contracts/message.ts';
import type { ToolDefinition } from '../../contracts/provider.ts';
import type { Outcome } from '../../contracts/outcome.ts';
import type { TokenTrace } from '../../contracts/token-trace.ts';

/** What we note ourselves to end a turn is no word of the model. */
const SAID: ReadonlySet<EntryOrigin> = new Set(['user', 'model', 'tool']);

/** What a session's log says of an attempt. */
export function readAgentResult(
  entries: readonly Entry[],
  outcome: Outcome,
  { system, trace }: { readonly system: string | null; readonly trace: TokenTrace | null },
): AgentResult {
  const messages = entries
    .filter(isMessageEntry)
    .filter(({ origin }) => SAID.has(origin))
    .map(({ message }) => message);
  const replies = messages.filter((message) => message.role === 'assistant');
  return {
    messages: [...(system === null ? [] : [{ role: 'system' as const, content: system }]), ...messages.map(toTrajectoryMessage)],
    tools: (entries.findLast((entry) => entry.type === 'epoch')?.epoch.tools ?? []).map(toTrajectoryTool),
    turnsUsed: replies.length,
    finishedNaturally: outcome.type === 'answered' && outcome.exitReason === 'answered',
    reasoningPerTurn: replies.map(readReasoning),
    toolErrors: listToolErrors(messages),
    managedState: trace,
  };
}

export const toTrajectoryTool = ({ name, description, input }: ToolDefinition): TrajectoryTool => ({
  type: 'function',
  function: { name, description, parameters: input },
});

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

/** As the model wrote them, where they could not be read. */
const readArguments = ({ malformed, input }: ToolCall): string => malformed ?? JSON.stringify(input);

function readReasoning({ content }: AssistantMessage): string | null {
  const thoughts = content.flatMap((block) => (block.type === 'thinking' ? [block.text] : []));
  return thoughts.length === 0 ? null : thoughts.join('\n');
}

function listToolErrors(messages: readonly Message[]): readonly ToolErrorRecord[] {
  const calls = new Map<string, { readonly turn: number; readonly call: ToolCall }>();
  let turn = 0;
  return messages.flatMap((message) => {
    if (message.role === 'assistant') {
      turn++;
      for (const call of collectToolCalls(message)) calls.set(call.id, { turn, call });
    }
    if (message.role !== 'tool' || !message.failed) return [];
    const asked = calls.get(message.callId);
    return [
      {
        turn: asked?.turn ?? turn,
        tool: message.name,
        arguments: asked === undefined ? '' : readArguments(asked.call),
        error: joinTextBlocks(message),
      },
    ];
  });
}
