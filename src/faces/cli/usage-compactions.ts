import type { CompactionReport } from '../../contracts/entry.ts';
import type { CallRecord } from '../../contracts/session-store.ts';
import { sumOf, sumRow, type Sum } from '../../commands/usage-sums.ts';

/** All compactions of a stretch of days or of a session: what they saved, and what the calls for their notes took. */
export interface CompactionTotal {
  readonly done: number;
  readonly refused: number;
  readonly tokensSaved: number;
  readonly spent: Sum;
}

export function compactionTotal(reports: readonly CompactionReport[], calls: readonly CallRecord[]): CompactionTotal {
  const done = reports.filter(({ outcome }) => outcome !== 'refused');
  return {
    done: done.length,
    refused: reports.length - done.length,
    tokensSaved: done.reduce((sum, { tokensBefore, tokensAfter }) => sum + tokensBefore - tokensAfter, 0),
    spent: sumOf(calls.filter(({ purpose }) => purpose === 'compaction')),
  };
}

export const compactionRow = ({ done, refused, tokensSaved, spent }: CompactionTotal) => ({ done, refused, tokensSaved, ...sumRow(spent) });
