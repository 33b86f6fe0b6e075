import { isMessage, type LogMessage } from '../contracts/entry.ts';
import { toolCalls, visibleText } from '../contracts/message.ts';
import type { InPhase } from '../contracts/turn.ts';
import type { Advance, TurnDeps } from './deps.ts';
import { turnBase, toSettle } from './state.ts';

/**
 * Some models give their answer beside a last call that only keeps their books (a ticked-off task list) and then have nothing
 * to add. The words of that step are the answer; asking again would only make them up anew.
 */
export function saidBefore({ journal, toolkit }: TurnDeps): LogMessage | undefined {
  const step = journal.entries.findLast((entry): entry is LogMessage => isMessage(entry) && entry.message.role === 'assistant');
  if (step === undefined || step.message.role !== 'assistant' || visibleText(step.message).trim() === '') return undefined;
  const calls = toolCalls(step.message).map((call) => toolkit.resolve(call));
  return calls.length > 0 && calls.every((call) => call.ok && call.tool.housekeeping === true) ? step : undefined;
}

export function alreadyAnswered(state: InPhase<'sample'>, said: LogMessage): Advance {
  const outcome = { type: 'answered', exitReason: 'answered', text: visibleText(said.message) } as const;
  return { state: toSettle({ ...turnBase(state), steps: state.steps + 1, phase: 'prepare' }, outcome, [said.id]) };
}
