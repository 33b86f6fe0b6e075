import { readArguments, readReasoning, toTrajectoryMessage, toTrajectoryTool } from '../../commands/trajectory-message.ts';
import { isMessageEntry, type Entry, type EntryOrigin } from '../../contracts/entry.ts';
import type { AgentResult, ToolErrorRecord } from '../../contracts/environment.ts';
import { collectToolCalls, joinTextBlocks, type Message, type ToolCall } from '../../contracts/message.ts';
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
