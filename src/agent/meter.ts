import { createTimeId } from '../base/ids.ts';
import type { CompletionRequest, UnassignedCall, Summariser } from '../contracts/complete.ts';
import type { CallRecord } from '../contracts/ledger.ts';
import type { Journal } from './journal.ts';

export interface Meter {
  readonly summarisers: readonly Summariser[];
  /** Every call that has come to its end so far. */
  readonly calls: readonly CallRecord[];
}

/** Models that may be asked for notes, and what of it belongs in the ledger of the session they write for. */
export function openMeter(
  summarisers: readonly Summariser[],
  journal: Journal,
  turnId = '',
  allows: NotesBudgetCheck = async () => true,
): Meter {
  const calls: CallRecord[] = [];
  const throughSeq = journal.log.at(-1)?.seq ?? 0;
  const enter = (made: UnassignedCall) =>
    void calls.push({ ...made, id: createTimeId('c', made.at), sessionId: journal.sessionId, turnId, purpose: 'compaction', throughSeq });
  return { calls, summarisers: summarisers.map((each) => countedBy(each, enter, (ask) => allows(each, ask, calls))) };
}

/** Whether a budget has room for one more call for notes, beside those that are not in the ledger yet. */
export type NotesBudgetCheck = (summariser: Summariser, ask: CompletionRequest, made: readonly CallRecord[]) => Promise<boolean>;

const countedBy = (
  summariser: Summariser,
  enter: (made: UnassignedCall) => void,
  allows: (ask: CompletionRequest) => Promise<boolean>,
): Summariser => ({
  model: summariser.model,
  // Asked anew each time: a refusal may have taught it a smaller one.
  get window() {
    return summariser.window;
  },
  complete: async (ask) => {
    if (!(await allows(ask))) return { ok: false, why: 'the budget has no room for notes', model: summariser.model, hopeless: true };
    const completion = await summariser.complete(ask);
    if (completion.call !== undefined) enter(completion.call);
    return completion;
  },
});
