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
  const begin = (at: number): MeteredCall => {
    const row = { id: createTimeId('c', at), sessionId: journal.sessionId, turnId, purpose: 'compaction', throughSeq } as const;
    return {
      // In the ledger from now on: a process that dies meanwhile has paid for it all the same.
      send: (call) => journal.commit({ ...(turnId !== '' && { turnId }), sent: [{ ...call, ...row }], continues: true }),
      end: (call) => void calls.push({ ...call, ...row }),
    };
  };
  return { calls, summarisers: summarisers.map((each) => countedBy(each, begin, (ask) => allows(each, ask, calls))) };
}

interface MeteredCall {
  send(call: UnassignedCall): Promise<unknown>;
  end(call: UnassignedCall): void;
}

/** Whether a budget has room for one more call for notes, beside those that are not in the ledger yet. */
export type NotesBudgetCheck = (summariser: Summariser, ask: CompletionRequest, made: readonly CallRecord[]) => Promise<boolean>;

const countedBy = (
  summariser: Summariser,
  begin: (at: number) => MeteredCall,
  allows: (ask: CompletionRequest) => Promise<boolean>,
): Summariser => ({
  model: summariser.model,
  // Asked anew each time: a refusal may have taught it a smaller one.
  get window() {
    return summariser.window;
  },
  complete: async (ask) => {
    if (!(await allows(ask))) return { ok: false, why: 'the budget has no room for notes', model: summariser.model, hopeless: true };
    let metered: MeteredCall | undefined;
    const sending = (call: UnassignedCall): Promise<unknown> => (metered = begin(call.at)).send(call);
    const completion = await summariser.complete({ ...ask, sending });
    if (completion.call !== undefined) (metered ?? begin(completion.call.at)).end(completion.call);
    return completion;
  },
});
