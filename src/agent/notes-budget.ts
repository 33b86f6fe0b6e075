import { boundTextTokens } from '../base/token-bound.ts';
import type { CompletionRequest, Summariser } from '../contracts/complete.ts';
import type { CallRecord } from '../contracts/ledger.ts';
import { NO_USAGE, type Usage } from '../contracts/message.ts';
import { resolveBudgetOwner, sumUsageTokens } from './budget-reservations.ts';
import type { TurnDeps } from './deps.ts';
import type { NotesBudgetCheck } from './meter.ts';

/** Notes are paid from the same budget: each call for them must fit, and leave what the turn needs for its closing report. */
export function createNotesBudgetCheck(deps: TurnDeps, requestTokens: number): NotesBudgetCheck {
  const { 'agent.budget_tokens': tokens, 'agent.budget_usd': usd } = deps.settings;
  if (tokens === 0 && usd === 0) return async () => true;
  const { journal, reservations } = deps;
  return async (summariser, ask, made) => {
    const owner = await resolveBudgetOwner(journal.sessionId, journal.store);
    const [spent, others] = [await journal.store.spent(owner), reservations?.besides(owner, journal.sessionId)];
    const usage = boundOf(summariser, ask);
    const used = sumUsageTokens(spent) + made.reduce((sum, call) => sum + sumUsageTokens(call), 0) + (others?.tokens ?? 0);
    if (tokens > 0 && used + sumUsageTokens({ usage }) + requestTokens > tokens) return false;
    if (usd === 0) return true;
    const cost = summariser.cost?.(usage);
    const paid = spent.price + made.reduce((sum, call) => sum + priceOf(call), 0) + (others?.usd ?? 0);
    return cost !== undefined && paid + cost <= usd;
  };
}

/** Unknown prices are not taken for nothing. */
const priceOf = ({ price = Infinity }: CallRecord): number => price;

const boundOf = (summariser: Summariser, ask: CompletionRequest): Usage => ({
  ...NO_USAGE,
  input: boundTextTokens(ask.system + ask.text),
  output: summariser.outputFor?.(ask) ?? ask.maxTokens,
});
