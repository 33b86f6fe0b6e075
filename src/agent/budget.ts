import type { ClosingReason } from '../contracts/event.ts';
import type { Spending } from '../contracts/session-store.ts';
import type { In } from '../contracts/turn.ts';
import type { TurnDeps } from './deps.ts';
import type { OpenCall } from './ledger.ts';

/** Output a call may cost when neither the route nor the owner says how long an answer may get. */
const ASSUMED_OUTPUT_TOKENS = 8_192;

/**
 * Which limit forbids the next call, if any. Budgets are judged before the call, on its upper bound plus that of the
 * closing call that must still fit; the model itself is never told of a limit that comes nearer (models give up early).
 */
export async function reachedLimit(state: In<'sample'>, call: OpenCall, deps: TurnDeps): Promise<ClosingReason | undefined> {
  const { 'agent.max_turns': maxTurns, 'agent.budget_tokens': tokens, 'agent.budget_usd': usd } = deps.settings;
  if (maxTurns > 0 && state.steps >= maxTurns) return 'turn_limit';
  if (tokens === 0 && usd === 0) return undefined;
  const spent = await deps.journal.store.spent(state.sessionId);
  const most = upperBound(state, call);
  if (tokens > 0 && used(spent) + 2 * (most.input + most.output) > tokens) return 'token_budget';
  if (usd === 0) return undefined;
  const price = deps.price(state.runtime, { input: most.input, output: most.output, cacheRead: 0, cacheWrite: 0, reasoning: 0 });
  // A model without a known price cannot be held to a money budget: stopping is the honest answer.
  return price === undefined || spent.price + 2 * price > usd ? 'money_budget' : undefined;
}

const upperBound = ({ runtime, adjust }: In<'sample'>, { estimate }: OpenCall) => ({
  input: estimate,
  output: adjust.maxOutput ?? runtime.limits.maxOutput ?? ASSUMED_OUTPUT_TOKENS,
});

const used = ({ usage }: Spending): number => usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
