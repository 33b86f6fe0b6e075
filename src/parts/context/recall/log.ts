import { isMessageEntry, type Entry, type LogMessage } from '../../../contracts/entry.ts';
import { listToolCalls, createOutOfViewCheck, toRecallRow, type CallsById, type RecallRow } from './rows.ts';

/** The log of the running session as the pages need it. */
export interface RecallLog {
  readonly entries: readonly Entry[];
  readonly calls: CallsById;
  readonly lastSeq: number;
  gone(seq: number): boolean;
  /** A message entry as text; undefined for other entries. */
  row(seq: number): RecallRow | undefined;
  /** What was said next to a row, as far as somebody said something within a few entries. */
  saidNear(seq: number, step: 1 | -1): RecallRow | undefined;
}

/** How many entries away what was said still belongs to a row. */
const NEAR = 3;

export function openLog(entries: readonly Entry[]): RecallLog {
  const messages = new Map<number, LogMessage>(entries.filter(isMessageEntry).map((entry) => [entry.seq, entry]));
  const calls = new Map(entries.flatMap(listToolCalls).map((call) => [call.id, call]));
  const drawn = new Map<number, RecallRow>();
  const row = (seq: number): RecallRow | undefined => {
    const entry = messages.get(seq);
    const known = drawn.get(seq) ?? (entry === undefined ? undefined : toRecallRow(entry, calls));
    if (known !== undefined) drawn.set(seq, known);
    return known;
  };
  const saidNear: RecallLog['saidNear'] = (seq, step) => {
    for (let at = seq + step; Math.abs(at - seq) <= NEAR; at += step) {
      const near = row(at);
      if (near?.sections.some(({ voice }) => voice === 'user' || voice === 'assistant') === true) return near;
    }
    return undefined;
  };
  return { entries, calls, lastSeq: entries.at(-1)?.seq ?? 0, gone: createOutOfViewCheck(entries), row, saidNear };
}
