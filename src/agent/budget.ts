import type { ClosingReason, Outcome } from '../contracts/event.ts';
import { NO_USAGE } from '../contracts/message.ts';
import type { Runtime } from '../contracts/runtime.ts';
import type { LogChange } from '../contracts/session-store.ts';
import type { TurnInPhase } from '../contracts/turn.ts';
import { enterAlone, hasBudget, hasMoneyBudget, reserveAlone } from './budget-left.ts';
import { resolveBudgetOwner, type CostLimit } from './budget-reservations.ts';
import type { TurnDeps } from './deps.ts';
import { BUDGETED_OUTPUT_TOKENS, type OpenCall } from './ledger.ts';
import { boundPrompt, guessPrompt } from './prompt-bound.ts';
import { createLimitOutcome, describeUnpricedModel } from './words.ts';

/** Whether a turn is closed because of what it may cost. */
export const isBudget = (reason: ClosingReason | undefined): reason is 'token_budget' | 'money_budget' =>
  reason === 'token_budget' || reason === 'money_budget';

/**
 * What a call may do: go out with so much output at most, make way for a closing call, or not be made at all. `prompt`: the tokens it was
 * judged with, which it is charged with when nobody counts it. `next`: what the report after it may take, which stays set aside while it runs.
 */
export type CallVerdict =
  | { readonly maxOutput?: number; readonly prompt?: number; readonly next?: CostLimit }
  | { readonly limit: ClosingReason }
  | { readonly stop: Extract<Outcome, { readonly type: 'stopped' }> };

/** Neither closed nor stopped. */
export const isFree = (verdict: CallVerdict): boolean => !('limit' in verdict) && !('stop' in verdict);

/** A call with less than this to answer with is not worth its prompt. */
const LEAST_OUTPUT = 256;
/** A closing report may be shorter. */
const LEAST_REPORT = 64;
/** Tokens of the words that ask for the report. */
const CLOSING_WORDS = 100;

/**
 * Which limit forbids the next call, if any, and how long its answer may get. Budgets are judged before the call, on its upper bound plus
 * that of the closing call that must still fit; the model itself is never told of a limit that comes nearer (models give up early).
 * A budget is a family's: what children spend counts, and what others of the family have under way is not free.
 */
export async function judgeCall(state: TurnInPhase<'sample'>, call: OpenCall, deps: TurnDeps): Promise<CallVerdict> {
  const { 'agent.max_turns': maxTurns } = deps.settings;
  if (state.closing === undefined && maxTurns > 0 && state.steps >= maxTurns) return { limit: 'turn_limit' };
  if (!hasBudget(deps)) return {};
  const costs = costsOn(state.runtime, deps);
  // Said before the first call: a model without a known price cannot be held to a money budget.
  if (hasMoneyBudget(deps) && costs.usd(1, 1) === undefined)
    return { stop: createLimitOutcome('money_budget', describeUnpricedModel(state.runtime.model)) };
  const input = await boundPrompt(call, state.runtime, deps);
  const asked = call.encoded.request.adjust.maxOutput ?? state.runtime.limits.maxOutput ?? BUDGETED_OUTPUT_TOKENS;
  return reserveAlone<CallVerdict>(state.sessionId, deps, (left, hold) => {
    const bound = (output: number) => (state.closing === undefined ? costs.withClosing(input, output) : costs.alone(input, output));
    const maxOutput = mostOutput(asked, (output) => fits(bound(output), left));
    const least = state.closing === undefined ? LEAST_OUTPUT : LEAST_REPORT;
    if (maxOutput < Math.min(least, asked)) return tooLittle(state, bound(least), left);
    hold(bound(maxOutput));
    const next = state.closing === undefined ? costs.report(input, maxOutput) : NOTHING;
    return { maxOutput, prompt: input, next };
  });
}

/** Nothing is left for the report either: then the turn ends with words of ours, however often the session is resumed. */
function tooLittle({ closing }: TurnInPhase<'sample'>, bound: CostLimit, left: CostLimit): CallVerdict {
  if (closing !== undefined) return { stop: createLimitOutcome(closing) };
  return { limit: bound.tokens > left.tokens ? 'token_budget' : 'money_budget' };
}

/** Nothing was set aside for a child that was refused its first call: it would close at the cost of its family. */
export async function isUnfundedChild({ sessionId }: TurnInPhase<'sample'>, { journal, reservations }: TurnDeps): Promise<boolean> {
  return (await resolveBudgetOwner(sessionId, journal.store)) !== sessionId && reservations?.holds(sessionId) === false;
}

/** What a call may cost at most on a route, by the dearest way its prompt may be billed. */
function costsOn(runtime: Runtime, deps: TurnDeps) {
  const { price } = deps;
  const usd = (input: number, output: number): number | undefined => {
    const bills = [price(runtime, { ...NO_USAGE, input, output }), price(runtime, { ...NO_USAGE, cacheWrite: input, output })];
    const known = bills.filter((bill) => bill !== undefined);
    return known.length === 0 ? undefined : Math.max(...known);
  };
  const alone = (input: number, output: number): CostLimit => ({
    tokens: input + output,
    usd: hasMoneyBudget(deps) ? (usd(input, output) ?? Infinity) : 0,
  });
  /** The report after a call, which reads the answer as well. */
  const report = (input: number, output: number): CostLimit => alone(input + output + CLOSING_WORDS, LEAST_REPORT);
  return {
    usd,
    alone,
    report,
    withClosing: (input: number, output: number): CostLimit => sum(alone(input, output), report(input, output)),
  };
}

/**
 * Enters a call in the ledger before its bytes leave, at the most it may cost: a process that dies meanwhile has spent it all the same. From
 * then on the ledger counts it, and only what is to follow it stays set aside.
 */
export async function enterCall(
  call: OpenCall,
  { runtime, sessionId, turnId }: CallPlace,
  verdict: CallVerdict,
  deps: TurnDeps,
  commit: (change: LogChange) => Promise<unknown> = deps.journal.commit,
): Promise<void> {
  const { prompt = guessPrompt(call), next = NOTHING } = 'limit' in verdict || 'stop' in verdict ? {} : verdict;
  const output = call.encoded.request.adjust.maxOutput ?? runtime.limits.maxOutput ?? BUDGETED_OUTPUT_TOKENS;
  const bound = { usage: { ...NO_USAGE, input: prompt, output }, price: costsOn(runtime, deps).usd(prompt, output) };
  const enter = () => commit({ ...(turnId !== '' && { turnId }), sent: [call.begin(bound)], continues: true });
  await (hasBudget(deps) ? enterAlone(sessionId, deps, enter, next) : enter());
}
type CallPlace = Pick<TurnInPhase<'sample'>, 'runtime' | 'sessionId' | 'turnId'>;

const NOTHING: CostLimit = { tokens: 0, usd: 0 };
const sum = (a: CostLimit, b: CostLimit): CostLimit => ({ tokens: a.tokens + b.tokens, usd: a.usd + b.usd });
const fits = (bound: CostLimit, left: CostLimit): boolean => bound.tokens <= left.tokens && bound.usd <= left.usd;

/** The longest answer that fits, by halving: costs grow with it. */
function mostOutput(asked: number, isFine: (output: number) => boolean): number {
  if (isFine(asked)) return asked;
  let [low, high] = [0, asked];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isFine(middle)) low = middle;
    else high = middle;
  }
  return low;
}
