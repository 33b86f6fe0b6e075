import { createTimeId } from '../base/ids.ts';
import type { Completion, UnassignedCall } from '../contracts/complete.ts';
import type { CallRecord } from '../contracts/ledger.ts';

/** Model calls that are not the turn's own: a tool asked one, or a reviewer. They are paid for like any other. */
export interface SideCalls {
  /** The same question, with what it costs noted. */
  counted<Ask>(ask: (question: Ask) => Promise<Completion>): (question: Ask) => Promise<Completion>;
  /** A call of the session's own that nobody could enter in the ledger yet: somebody else was at the session. */
  note(call: CallRecord): void;
  /** What was noted since the last time, as rows of the ledger. */
  take(row: Pick<CallRecord, 'sessionId' | 'turnId' | 'throughSeq'>): readonly CallRecord[];
}

export function createSideCalls(): SideCalls {
  let made: UnassignedCall[] = [];
  let noted: CallRecord[] = [];
  return {
    counted: (ask) => async (question) => {
      const completion = await ask(question);
      if (completion.call !== undefined) made.push(completion.call);
      return completion;
    },
    note: (call) => void noted.push(call),
    take: (row) => {
      const taken = [...made.map((call) => ({ ...call, ...row, id: createTimeId('c', call.at), purpose: 'tool' as const })), ...noted];
      [made, noted] = [[], []];
      return taken;
    },
  };
}
