import { isMessageEntry, type LogMessage } from '../contracts/entry.ts';
import { collectToolCalls, joinTextBlocks } from '../contracts/message.ts';
import type { TurnInPhase } from '../contracts/turn.ts';
import type { PhaseResult, TurnDeps } from './deps.ts';
import { toTurnBase, toSettle } from './state.ts';

/**
 * Some models give their answer beside a last call that only keeps their books (a ticked-off task list) and then have nothing
 * to add. The words of that step are the answer; asking again would only make them up anew.
 */
export function findEarlierAnswer({ journal, toolkit }: TurnDeps): LogMessage | undefined {
  const step = journal.entries.findLast((entry): entry is LogMessage => isMessageEntry(entry) && entry.message.role === 'assistant');
  if (step === undefined || step.message.role !== 'assistant' || joinTextBlocks(step.message).trim() === '') return undefined;
  const calls = collectToolCalls(step.message).map((call) => toolkit.resolve(call));
  return calls.length > 0 && calls.every((call) => call.ok && call.tool.housekeeping === true) ? step : undefined;
}

export function settleWithEarlierAnswer(state: TurnInPhase<'sample'>, said: LogMessage): PhaseResult {
  const outcome = { type: 'answered', exitReason: 'answered', text: joinTextBlocks(said.message) } as const;
  return { state: toSettle({ ...toTurnBase(state), steps: state.steps + 1, phase: 'prepare' }, outcome, [said.id]) };
}
