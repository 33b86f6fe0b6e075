import { FEWEST_LAST, PROTECTED_FIRST } from './budgets.ts';
import { isSaid, sumTokens, type ViewRow } from './rows/rows.ts';

/** How much may stay at both ends, in estimated tokens. */
export interface PlanLimits {
  readonly tail: number;
  readonly softTail: number;
  /** What both ends and the request may take so that the whole still comes under its target with good notes. */
  readonly room: number;
  /** The messages of the latest request: what a cut leaves behind is carried in the notes, and takes room there. */
  readonly request: readonly { readonly seq: number; readonly tokens: number }[];
  readonly protectLast: number;
  /** Messages the tail has whatever they cost. */
  readonly fewest: number;
  readonly protectFirst: number;
}
export interface CompactionPlan {
  readonly head: readonly ViewRow[];
  readonly middle: readonly ViewRow[];
  readonly tail: readonly ViewRow[];
  readonly fromSeq: number;
  readonly toSeq: number;
}

/** Where the view is cut. `undefined` when nothing lies between what stays at both ends. */
export function planCompaction(rows: readonly ViewRow[], shape: PlanLimits): CompactionPlan | undefined {
  const head = headEnd(rows, shape);
  const cut = tailStart(rows, shape, head);
  const from = Math.min(head, cut);
  const middle = rows.slice(from, cut);
  const [first, last] = [middle[0], middle.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return { head: rows.slice(0, from), middle, tail: rows.slice(cut), fromSeq: first.fromSeq, toSeq: last.toSeq };
}

export const SHAPE: Pick<PlanLimits, 'fewest' | 'protectFirst'> = { fewest: FEWEST_LAST, protectFirst: PROTECTED_FIRST };

/** The first messages with the results of their calls; fewer where they alone are as large as a tail. A summary is never part of it. */
function headEnd(rows: readonly ViewRow[], { protectFirst, tail }: PlanLimits): number {
  const summary = rows.findIndex((row) => row.summary !== undefined);
  const most = summary < 0 ? rows.length : summary;
  for (let wanted = Math.min(protectFirst, most); wanted > 0; wanted--) {
    let end = wanted;
    while (end < most && rows[end]?.message.role === 'tool') end++;
    if (sumTokens(rows.slice(0, end)) <= tail) return end;
  }
  return 0;
}

/** The tail by tokens; by count where that is more and still fits; and back to the latest words of the user where they are near. */
function tailStart(rows: readonly ViewRow[], shape: PlanLimits, head: number): number {
  const after = suffixSums(rows);
  const fits = (start: number) => (after[start] ?? 0) + besides(rows, shape, head, start) <= shape.room;
  const byTokens = walkBack(rows, after, shape, fits);
  const byCount = boundary(rows, rows.length - shape.protectLast);
  const start = byCount < byTokens && fits(byCount) ? byCount : byTokens;
  const words = [rows.findLastIndex(({ origin }) => origin === 'user' || origin === 'cron'), rows.findLastIndex(isSaid)];
  const near = words.find((index) => index >= 0 && index < start && (after[index] ?? 0) <= shape.softTail && fits(index));
  return near ?? start;
}

/** What takes room beside a tail that begins here: the head, and of the request what lies between both. */
function besides(rows: readonly ViewRow[], { request }: PlanLimits, head: number, start: number): number {
  const [from, to] = [rows[head - 1]?.toSeq ?? 0, rows[start]?.fromSeq ?? Infinity];
  const left = request.filter(({ seq }) => seq > from && seq < to);
  return sumTokens(rows.slice(0, Math.min(head, start))) + left.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Steps back from the end while the budget lasts; the soft cap lets a step in that begins within it. */
function walkBack(
  rows: readonly ViewRow[],
  after: readonly number[],
  { tail, softTail, fewest }: PlanLimits,
  hasRoom: (start: number) => boolean,
): number {
  let start = rows.length;
  while (start > 0) {
    const next = boundary(rows, start - 1);
    const needed = rows.length - start < fewest;
    const fits = (after[start] ?? 0) < tail && (after[next] ?? 0) <= softTail && hasRoom(next);
    if (!needed && !fits) break;
    start = next;
  }
  return start;
}

/** The nearest place at or before this one where no call is parted from its results. */
function boundary(rows: readonly ViewRow[], index: number): number {
  let at = Math.max(index, 0);
  while (at > 0 && rows[at]?.message.role === 'tool') at--;
  return at;
}

/** Tokens from each row to the end. */
function suffixSums(rows: readonly ViewRow[]): readonly number[] {
  const sums = Array.from<number>({ length: rows.length + 1 }).fill(0);
  for (let index = rows.length - 1; index >= 0; index--) sums[index] = (sums[index + 1] ?? 0) + (rows[index]?.tokens ?? 0);
  return sums;
}
