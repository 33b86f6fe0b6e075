import { isMessageEntry, type NewEntry } from '../contracts/entry.ts';
import type { ClosingReason } from '../contracts/event.ts';
import { joinTextBlocks, type AssistantMessage } from '../contracts/message.ts';
import type { TurnInPhase } from '../contracts/turn.ts';
import { isOwnRequest } from './attribution.ts';
import { isBudget, isUnfundedChild } from './budget.ts';
import type { PhaseResult, TurnDeps } from './deps.ts';
import { createNudgeEntries } from './nudge.ts';
import { toTurnBase, toSample, toSettle, spend } from './state.ts';
import { NUDGES, createLimitOutcome, describeStopReason } from './words.ts';

/** A limit was reached before the call: one last call follows, with the tool table kept and tools forbidden. */
export async function enterClosing(state: TurnInPhase<'sample'>, reason: ClosingReason, deps: TurnDeps): Promise<PhaseResult> {
  if (deps.isUnaided === true || (isBudget(reason) && (await isUnfundedChild(state, deps))))
    return { state: toSettle(state, createLimitOutcome(reason)) };
  const next = { ...toTurnBase(state), spent: spend(state.spent, 'closing') };
  return {
    state: toSample(next, reason),
    append: createNudgeEntries(deps.journal.entries, NUDGES.closing[reason], await wentOut(state, deps)),
  };
}

/** Whether the log as it stands was in a request already, so that nothing may join its last message. */
async function wentOut({ sessionId, startedAt }: TurnInPhase<'sample'>, { journal }: TurnDeps): Promise<boolean> {
  const last = (await journal.store.calls({ sessionId, since: startedAt })).findLast(isOwnRequest);
  return last !== undefined && last.throughSeq >= (journal.entries.findLast(isMessageEntry)?.seq ?? 0);
}

/** The closing call has been answered, and there is no other: calls in it are not run, and silence is not asked about. */
export function closeTurn(state: TurnInPhase<'sample'>, reason: ClosingReason, reply: AssistantMessage): PhaseResult {
  const message = { ...reply, content: reply.content.filter((block) => block.type !== 'tool_call') };
  const report = joinTextBlocks(message).trim() === '' ? [] : [{ id: `${state.turnId}.closing`, text: joinTextBlocks(message) }];
  const parts = [...state.parts, ...report];
  // A report does not go on with the sentence that was cut off before it.
  const words = [state.parts.map((part) => part.text).join(''), ...report.map((part) => part.text)]
    .filter((text) => text !== '')
    .join('\n\n');
  const outcome = {
    type: 'stopped',
    exitReason: reason,
    text: words || describeStopReason(reason),
    words: words === '' ? 'ours' : 'model',
  } as const;
  const entries = report.map(({ id }): NewEntry => ({ type: 'message', id, origin: 'model', message }));
  const next = toSettle(
    { ...state, steps: state.steps + 1 },
    outcome,
    parts.map((part) => part.id),
  );
  return { state: next, ...(entries.length > 0 && { append: entries }) };
}
