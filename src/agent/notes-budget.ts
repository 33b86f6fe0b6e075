import { boundTextTokens } from '../base/token-bound.ts';
import type { CompletionRequest, Summariser } from '../contracts/complete.ts';
import type { CallRecord } from '../contracts/ledger.ts';
import { NO_USAGE, type Usage } from '../contracts/message.ts';
import { hasBudget, hasMoneyBudget, readBudgetLeft } from './budget-left.ts';
import { sumUsageTokens } from './budget-reservations.ts';
import type { TurnDeps } from './deps.ts';
import type { NotesBudgetCheck } from './meter.ts';

/** Notes are paid from the same budget: each call for them must fit, and leave what the turn needs for its closing report. */
export function createNotesBudgetCheck(deps: TurnDeps, requestTokens: number): NotesBudgetCheck {
  if (!hasBudget(deps)) return async () => true;
  return async (summariser, ask, made) => {
    const left = await readBudgetLeft(deps.journal.sessionId, deps);
    // One that was entered when it went out counts already, at the most it could cost.
    const entered = new Set((await deps.journal.calls()).map(({ id }) => id));
    const besides = made.filter(({ id }) => !entered.has(id));
    const usage = boundOf(summariser, ask);
    const used = besides.reduce((sum, call) => sum + sumUsageTokens(call), 0);
    if (used + sumUsageTokens({ usage }) + requestTokens > left.tokens) return false;
    if (!hasMoneyBudget(deps)) return true;
    const cost = summariser.cost?.(usage);
    return cost !== undefined && besides.reduce((sum, call) => sum + priceOf(call), 0) + cost <= left.usd;
  };
}

/** Unknown prices are not taken for nothing. */
const priceOf = ({ price = Infinity }: CallRecord): number => price;

const boundOf = (summariser: Summariser, ask: CompletionRequest): Usage => ({
  ...NO_USAGE,
  input: boundTextTokens(ask.system + ask.text),
  output: summariser.outputFor?.(ask) ?? ask.maxTokens,
});
