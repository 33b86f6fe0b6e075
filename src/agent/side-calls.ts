import { createTimeId } from '../base/ids.ts';
import type { Completion, EnteredQuestion, UnassignedCall } from '../contracts/complete.ts';
import type { CallRecord } from '../contracts/ledger.ts';

/** Model calls that are not the turn's own: a tool asked one, or a reviewer. They are paid for like any other. */
export interface SideCalls {
  /** The same question, with what it costs noted. */
  counted<Ask>(ask: (question: Ask & EnteredQuestion) => Promise<Completion>): (question: Ask) => Promise<Completion>;
  /** Where calls are entered as they go out, until it is disposed of; without it they are noted when they end. */
  enterInto(row: SideCallRow, enter: (call: CallRecord) => Promise<unknown>): Disposable;
  /** A call of the session's own that nobody could enter in the ledger yet: somebody else was at the session. */
  note(call: CallRecord): void;
  /** What was noted since the last time, as rows of the ledger. */
  take(row: SideCallRow): readonly CallRecord[];
}
type SideCallRow = Pick<CallRecord, 'sessionId' | 'turnId' | 'throughSeq'>;

export function createSideCalls(): SideCalls {
  let made: (UnassignedCall & { readonly id: string })[] = [];
  let noted: CallRecord[] = [];
  let ledger: { readonly row: SideCallRow; readonly enter: (call: CallRecord) => Promise<unknown> } | undefined;
  return {
    counted: (ask) => async (question) => {
      let id: string | undefined;
      const sending = async (call: UnassignedCall): Promise<void> => {
        id = createTimeId('c', call.at);
        await ledger?.enter(toRow({ ...call, id }, ledger.row));
      };
      const completion = await ask({ ...question, sending });
      const { call } = completion;
      if (call !== undefined) made.push({ ...call, id: id ?? createTimeId('c', call.at) });
      return completion;
    },
    enterInto: (row, enter) => {
      ledger = { row, enter };
      return { [Symbol.dispose]: () => (ledger = undefined) };
    },
    note: (call) => void noted.push(call),
    take: (row) => {
      const taken = [...made.map((call) => toRow(call, row)), ...noted];
      [made, noted] = [[], []];
      return taken;
    },
  };
}

const toRow = (call: UnassignedCall & { readonly id: string }, row: SideCallRow): CallRecord => ({ ...call, ...row, purpose: 'tool' });
