import type { SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk';
import { findMeantCall } from '../../../commands/tool-words.ts';
import type { AgentEvent } from '../../../contracts/event.ts';

/** What belongs to which call: questions by their id, terminals by the command they run. */
export interface CallIndex {
  see(event: AgentEvent): void;
  callOf(questionId: string | undefined): string | undefined;
  /** A terminal of the editor's runs this command: it is shown with the oldest call of that command that has none. */
  opened(command: string, terminalId: string): void;
  shownFor(callId: string): readonly ToolCallContent[];
}

export function createCallIndex(update: (change: SessionUpdate) => void): CallIndex {
  const questions = new Map<string, string>();
  const waiting = new Map<string, string>();
  const terminals = new Map<string, string>();
  const shownFor = (callId: string): readonly ToolCallContent[] => {
    const terminalId = terminals.get(callId);
    return terminalId === undefined ? [] : [{ type: 'terminal', terminalId }];
  };
  return {
    see: (event) => {
      if (event.type === 'asking') questions.set(event.question.id, event.question.callId);
      if (event.type === 'asked') questions.delete(event.questionId);
      if (event.type === 'tool_finished') waiting.delete(event.callId);
      if (event.type !== 'tool_started') return;
      const { command } = findMeantCall(event.call).input;
      if (typeof command === 'string') waiting.set(event.call.id, command);
    },
    callOf: (questionId) => (questionId === undefined ? undefined : questions.get(questionId)),
    opened: (command, terminalId) => {
      const [callId] = [...waiting].find(([, each]) => each === command) ?? [];
      if (callId === undefined) return;
      waiting.delete(callId);
      terminals.set(callId, terminalId);
      update({ sessionUpdate: 'tool_call_update', toolCallId: callId, content: [...shownFor(callId)] });
    },
    shownFor,
  };
}
