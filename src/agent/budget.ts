import type { ClosingReason } from '../contracts/event.ts';
import { NO_USAGE } from '../contracts/message.ts';
import type { InPhase } from '../contracts/turn.ts';
import type { TurnDeps } from './deps.ts';
import { BUDGETED_OUTPUT_TOKENS, type OpenCall } from './ledger.ts';
import { openReservations, budgetOwnerOf, tokensOf } from './budget-reservations.ts';

/** Whether a turn is closed because of what it may cost. */
export const isBudget = (reason: ClosingReason | undefined): reason is 'token_budget' | 'money_budget' =>
  reason === 'token_budget' || reason === 'money_budget';

/** Nothing is left at all: then not even a closing call is made, however often the session is resumed. */
export async function isUsedUp({ sessionId }: InPhase<'sample'>, reason: ClosingReason, deps: TurnDeps): Promise<boolean> {
  if (!isBudget(reason)) return false;
  const { journal, settings, reservations } = deps;
  const owner = await budgetOwnerOf(sessionId, journal.store);
  // Nothing was set aside for a child that was refused its first call: it would close at the cost of its family.
  if (owner !== sessionId && reservations?.holds(sessionId) === false) return true;
  const spent = await journal.store.spent(owner);
  return reason === 'token_budget' ? tokensOf(spent) >= settings['agent.budget_tokens'] : spent.price >= settings['agent.budget_usd'];
}

/**
 * Which limit forbids the next call, if any. Budgets are judged before the call, on its upper bound plus that of the
 * closing call that must still fit; the model itself is never told of a limit that comes nearer (models give up early).
 * A budget is a family's: what children spend counts, and what others of the family have under way is not free.
 */
export async function reachedLimit(state: InPhase<'sample'>, call: OpenCall, deps: TurnDeps): Promise<ClosingReason | undefined> {
  const { 'agent.max_turns': maxTurns, 'agent.budget_tokens': tokens, 'agent.budget_usd': usd } = deps.settings;
  if (maxTurns > 0 && state.steps >= maxTurns) return 'turn_limit';
  if (tokens === 0 && usd === 0) return undefined;
  const { sessionId } = state;
  const { reservations = openReservations() } = deps;
  const owner = await budgetOwnerOf(sessionId, deps.journal.store);
  return reservations.alone(owner, async () => {
    const [spent, others] = [await deps.journal.store.spent(owner), reservations.besides(owner, sessionId)];
    const { input, output } = upperBound(state, call);
    const need = { tokens: 2 * (input + output), usd: 0 };
    if (tokens > 0 && tokensOf(spent) + others.tokens + need.tokens > tokens) return 'token_budget';
    if (usd > 0) {
      const price = deps.price(state.runtime, { ...NO_USAGE, input, output });
      // A model without a known price cannot be held to a money budget: stopping is the honest answer.
      if (price === undefined || spent.price + others.usd + 2 * price > usd) return 'money_budget';
      need.usd = 2 * price;
    }
    reservations.hold(owner, sessionId, need);
    return undefined;
  });
}

const upperBound = ({ runtime }: InPhase<'sample'>, { estimate, encoded }: OpenCall) => ({
  input: estimate,
  output: encoded.request.adjust.maxOutput ?? runtime.limits.maxOutput ?? BUDGETED_OUTPUT_TOKENS,
});
