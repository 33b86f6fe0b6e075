import { isMessageEntry } from '../../contracts/entry.ts';
import type { CallRecord } from '../../contracts/ledger.ts';
import { isOwnRequest } from '../attribution.ts';
import { BACKOFF, COSTLY_EMPTY_USD } from '../bounds.ts';
import type { Recovery, TurnDeps } from '../deps.ts';
import { createNudgeEntries } from '../nudge.ts';
import { NUDGES } from '../words.ts';
import { raiseOutputLimit } from './adjust.ts';
import { computeBackoff } from './wait.ts';

/** An empty reply right after tools: the model lost the thread, one nudge usually brings it back. */
export const nudgeEmpty: Recovery = {
  name: 'nudge_empty',
  cures: ['empty'],
  apply: (_state, deps) => {
    const last = deps.journal.entries.findLast(isMessageEntry)?.message.role;
    return last === 'tool' ? { append: createNudgeEntries(deps.journal.entries, NUDGES.empty, true) } : undefined;
  },
};

/** Reasoning and no words: the reply is kept on its own track and the words are asked for. */
export const prefillThinking: Recovery = {
  name: 'prefill_thinking',
  cures: ['thinking_only'],
  apply: ({ failure, adjust, runtime, spent }, deps) => ({
    append: createNudgeEntries(deps.journal.entries, NUDGES.thinking, true),
    ...(failure.type === 'thinking_only' &&
      failure.atLength === true && {
        adjust: { ...adjust, maxOutput: raiseOutputLimit(runtime.limits.maxOutput, spent['prefill_thinking'] ?? 0) },
      }),
  }),
};

/** Truly empty: the same request again after a pause; only once when a try is dear or the model is sure to say nothing again. */
export const retryEmpty: Recovery = {
  name: 'retry_empty',
  cures: ['empty', 'thinking_only'],
  apply: async ({ spent, sessionId }, deps) => {
    const used = spent['retry_empty'] ?? 0;
    return used > 0 && (await isPointless(sessionId, deps)) ? undefined : { waitMs: computeBackoff(BACKOFF.empty, used, deps.random) };
  },
};

/** One try costs too much, or two in a row were counted by the provider and gave not one token. */
async function isPointless(sessionId: string, deps: TurnDeps): Promise<boolean> {
  const [before, last] = (await deps.journal.store.calls({ sessionId })).filter(isOwnRequest).slice(-2);
  const silent = (call: CallRecord | undefined) =>
    call !== undefined && call.usageEstimated === undefined && call.usage.input > 0 && call.usage.output === 0;
  return (last?.price ?? 0) >= COSTLY_EMPTY_USD || (silent(before) && silent(last) && before?.result === last?.result);
}
