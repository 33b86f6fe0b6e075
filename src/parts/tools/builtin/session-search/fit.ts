import { clip, takeStart } from '../../../../base/text.ts';

/** From an index up to, not including, another. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The length none may pass so that all together stay within the budget; what the short do not use goes to the long. */
export function computeFairShare(lengths: readonly number[], budget: number): number {
  const sorted = lengths.toSorted((a, b) => a - b);
  let left = budget;
  for (const [index, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index));
    if (length > share) return share;
    left -= length;
  }
  return Infinity;
}

/** Room for the words that stand where something was left out. */
const MARK = 40;

/** The texts, the long ones cut: none is longer than `most`, and all together with their line breaks stay within the budget. */
export function fit(texts: readonly string[], budget: number, most: number): string[] {
  const share = Math.min(
    most,
    computeFairShare(
      texts.map((each) => Math.min(withBreak(each), most + 1)),
      budget,
    ) - 1,
  );
  return texts.map((each) => (each.length <= share ? each : cut(each, share)));
}

const withBreak = (text: string): number => text.length + 1;

/** A text of at most this length; head and tail where there is room for both. */
export const cut = (text: string, length: number): string =>
  text.length <= length
    ? text
    : length < 2 * MARK
      ? `${takeStart(text, Math.max(0, length - 1))}…`
      : clip(text, length - MARK, (omitted) => ` […${omitted} characters…] `);

/** Less than this of a message says nothing; fewer messages are better. */
const LEAST = 160;

export const computeRangeAround = (count: number, at: number, radius: number): Range => ({
  from: Math.max(0, at - radius),
  to: Math.min(count, at + radius + 1),
});

/** The widest range around a place in which every text still gets a fair piece of the budget. */
export function pickWidestRange(texts: readonly string[], at: number, radius: number, budget: number): Range {
  for (let reach = radius; reach > 0; reach--) {
    const range = computeRangeAround(texts.length, at, reach);
    if (computeFairShare(texts.slice(range.from, range.to).map(withBreak), budget) >= LEAST) return range;
  }
  return computeRangeAround(texts.length, at, 0);
}
