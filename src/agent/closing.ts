import { isMessage, type NewEntry } from '../contracts/entry.ts';
import type { ClosingReason } from '../contracts/event.ts';
import { visibleText, type AssistantMessage } from '../contracts/message.ts';
import type { InPhase } from '../contracts/turn.ts';
import { isOwnRequest } from './attribution.ts';
import { isBudget, isOutsider } from './budget.ts';
import type { Advance, TurnDeps } from './deps.ts';
import { nudge } from './nudge.ts';
import { turnBase, toSample, toSettle, spend } from './state.ts';
import { NUDGES, stoppedBy, stopWords } from './words.ts';

/** A limit was reached before the call: one last call follows, with the tool table kept and tools forbidden. */
export async function enterClosing(state: InPhase<'sample'>, reason: ClosingReason, deps: TurnDeps): Promise<Advance> {
  if (isBudget(reason) && (await isOutsider(state, deps))) return { state: toSettle(state, stoppedBy(reason)) };
  const next = { ...turnBase(state), spent: spend(state.spent, 'closing') };
  return { state: toSample(next, reason), append: nudge(deps.journal.entries, NUDGES.closing[reason], await wentOut(state, deps)) };
}

/** Whether the log as it stands was in a request already, so that nothing may join its last message. */
async function wentOut({ sessionId, startedAt }: InPhase<'sample'>, { journal }: TurnDeps): Promise<boolean> {
  const last = (await journal.store.calls({ sessionId, since: startedAt })).findLast(isOwnRequest);
  return last !== undefined && last.throughSeq >= (journal.entries.findLast(isMessage)?.seq ?? 0);
}

/** The closing call has been answered, and there is no other: calls in it are not run, and silence is not asked about. */
export function closeTurn(state: InPhase<'sample'>, reason: ClosingReason, reply: AssistantMessage): Advance {
  const message = { ...reply, content: reply.content.filter((block) => block.type !== 'tool_call') };
  const report = visibleText(message).trim() === '' ? [] : [{ id: `${state.turnId}.closing`, text: visibleText(message) }];
  const parts = [...state.parts, ...report];
  // A report does not go on with the sentence that was cut off before it.
  const words = [state.parts.map((part) => part.text).join(''), ...report.map((part) => part.text)]
    .filter((text) => text !== '')
    .join('\n\n');
  const outcome = {
    type: 'stopped',
    exitReason: reason,
    text: words || stopWords(reason),
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
