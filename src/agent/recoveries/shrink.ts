import type { ClosingReason } from '../../contracts/event.ts';
import type { Failure } from '../../contracts/failure.ts';
import type { Runtime } from '../../contracts/runtime.ts';
import { isBudget } from '../budget.ts';
import type { Recovery, TurnDeps } from '../deps.ts';
import { readLargestAnsweredPrompt } from '../gauge.ts';
import { isCrowdedOut } from './adjust.ts';

/** The request is too large: the context engine shows the model less of the log. The log keeps everything. */
export const shrink: Recovery = {
  name: 'shrink',
  cures: ['context_overflow', 'payload_too_large', 'output_cap'],
  apply: async ({ failure, runtime, turnId, closing }, deps) => {
    if (failure.type === 'output_cap' && !isCrowdedOut(failure)) return undefined;
    const { attemptCompaction, collectCompactionOptions, estimateFixedTokens } = await import('../attempt.ts');
    const asked = await collectCompactionOptions(deps, runtime);
    const window = await credibleWindow(failure, estimateFixedTokens(asked, deps), runtime, deps);
    if (window !== undefined && !('inferred' in failure)) await deps.routes.learn(runtime, { window });
    const limits = window === undefined ? runtime.limits : { ...runtime.limits, window, reported: true as const };
    const ask = { ...asked, runtime: { ...runtime, limits } };
    const { ok, why = '', ...came } = await attemptCompaction(payingFor(closing, deps), ask, { reason: 'overflow', turnId });
    if (!ok) return { ...came, closed: `The conversation could not be made smaller: ${why}.` };
    // A window the owner has stated is his to be right about: it is overruled for this one compaction only.
    return runtime.limits.stated === true ? came : { ...came, limits };
  },
};

/**
 * The window a refusal names, unless system prompt and tools alone would fill it or this route has answered more than that: then the
 * figure means something else.
 */
async function credibleWindow(failure: Failure, fixed: number, runtime: Runtime, deps: TurnDeps): Promise<number | undefined> {
  const limit = failure.type === 'context_overflow' || failure.type === 'output_cap' ? failure.limit : undefined;
  if (limit === undefined || limit <= fixed) return undefined;
  return limit < (await readLargestAnsweredPrompt(runtime, deps)) ? undefined : limit;
}

/** What is left of a budget is for the closing words: then nobody is asked for notes, and the engine makes do without. */
const payingFor = (closing: ClosingReason | undefined, deps: TurnDeps): TurnDeps =>
  isBudget(closing) ? { ...deps, summarisers: () => [] } : deps;
