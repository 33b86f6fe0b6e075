import type { CompletionRequest, Summariser } from '../contracts/complete.ts';
import type { CallRecord } from '../contracts/ledger.ts';
import { NO_USAGE, type Usage } from '../contracts/message.ts';
import { budgetOwnerOf, tokensOf } from './budget-reservations.ts';
import type { TurnDeps } from './deps.ts';
import type { AllowsNotes } from './meter.ts';

/** No tokenizer makes more tokens of a text than one for two characters or, where they are longer, one for each two bytes. */
const BYTES_PER_TOKEN = 2;

/** Notes are paid from the same budget: each call for them must fit, and leave what the turn needs for its closing report. */
export function notesWithin(deps: TurnDeps, requestTokens: number): AllowsNotes {
  const { 'agent.budget_tokens': tokens, 'agent.budget_usd': usd } = deps.settings;
  if (tokens === 0 && usd === 0) return async () => true;
  const { journal, reservations } = deps;
  return async (summariser, ask, made) => {
    const owner = await budgetOwnerOf(journal.sessionId, journal.store);
    const [spent, others] = [await journal.store.spent(owner), reservations?.besides(owner, journal.sessionId)];
    const usage = boundOf(summariser, ask);
    const used = tokensOf(spent) + made.reduce((sum, call) => sum + tokensOf(call), 0) + (others?.tokens ?? 0);
    if (tokens > 0 && used + tokensOf({ usage }) + requestTokens > tokens) return false;
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
  input: Math.ceil(Buffer.byteLength(ask.system + ask.text) / BYTES_PER_TOKEN),
  output: summariser.outputFor?.(ask) ?? ask.maxTokens,
});
