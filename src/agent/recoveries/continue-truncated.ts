import { NUDGES } from '../words.ts';
import { createNudgeEntries } from '../nudge.ts';
import type { Recovery } from '../deps.ts';
import { raiseOutputLimit } from './adjust.ts';

/** The answer was cut off at its length: the piece is kept and the model goes on from there. */
export const continueTruncated: Recovery = {
  name: 'continue_truncated',
  cures: ['truncated'],
  apply: ({ failure, adjust, runtime, spent }, deps) => {
    if (failure.type !== 'truncated' || failure.calls) return undefined;
    const maxOutput = raiseOutputLimit(runtime.limits.maxOutput, spent['continue_truncated'] ?? 0);
    return { adjust: { ...adjust, maxOutput }, append: createNudgeEntries(deps.journal.entries, NUDGES.continue, true) };
  },
};

/** A tool call was cut off: nothing of it is kept or run, and it is asked for again with more room. */
export const reaskTruncatedCall: Recovery = {
  name: 'reask_truncated_call',
  cures: ['truncated'],
  apply: ({ failure, adjust, runtime, spent }) =>
    failure.type === 'truncated' && failure.calls
      ? { adjust: { ...adjust, maxOutput: raiseOutputLimit(runtime.limits.maxOutput, spent['reask_truncated_call'] ?? 0) } }
      : undefined,
};

/** A call written as text is never run from it: the model is told how to make it. */
export const reaskWrittenCall: Recovery = {
  name: 'reask_written_call',
  cures: ['written_call'],
  apply: (_state, deps) => ({ append: createNudgeEntries(deps.journal.entries, NUDGES.writtenCall, true) }),
};

/** A reply that repeats itself for ever is forgotten, and the model is told why and how else to make such output; what the second one has to say is handed over. */
export const reaskRepetition: Recovery = {
  name: 'reask_repetition',
  cures: ['repetition'],
  apply: (_state, deps) => ({ append: createNudgeEntries(deps.journal.entries, NUDGES.repetition, true) }),
};

/** A reply that says it calls tools and brings no call lost it on the way. */
export const reaskDroppedCall: Recovery = { name: 'reask_dropped_call', cures: ['dropped_call'], apply: () => ({}) };
