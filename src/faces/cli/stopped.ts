import type { Outcome } from '../../contracts/event.ts';

/** Ended by a person, or by whoever ends the process for one. */
export const isStoppedByPerson = ({ exitReason }: Outcome): boolean => exitReason === 'interrupted' || exitReason === 'terminated';

/** What the screen says when a turn ended before its answer was whole: why, what is kept, and what to type. */
export function describeStop(outcome: Outcome, sessionId: string): string | undefined {
  if (outcome.type === 'answered' || outcome.type === 'failed') return undefined;
  const why = outcome.words === 'ours' ? outcome.text : (WHY[outcome.exitReason] ?? 'The answer is not complete.');
  const kept = isStoppedByPerson(outcome) && outcome.words === 'model' ? ' The answer so far is saved.' : '';
  return `${why}${kept}\nTo continue: hermes chat --resume ${sessionId} -q "go on"\n`;
}
const WHY: Partial<Record<Outcome['exitReason'], string>> = {
  interrupted: 'Interrupted.',
  terminated: 'Terminated.',
  turn_limit: 'Stopped: this turn reached its limit of model calls (--max-turns, agent.max_turns).',
  token_budget: 'Stopped: the session has used its token budget (agent.budget_tokens).',
  money_budget: 'Stopped: the session has used its money budget (agent.budget_usd).',
  loop_guard: 'Stopped: tool calls kept failing or repeating without progress.',
  invalid_tool_calls: 'Stopped: the model kept calling tools that do not exist.',
  truncated: 'The answer is not complete: the model reached its output limit.',
  cut_off: 'The answer is not complete: the model call failed while it was being written.',
};
