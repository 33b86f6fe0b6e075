import { splitPassageLines, type PassageLine } from './passages.ts';
import type { RecallRow } from './rows.ts';

const LINES_BEFORE = 5;
const LINES_AFTER = 6;

export interface Excerpt {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Characters around a line that are looked at for its neighbours. */
const REACH = 4_000;

/** A line with its neighbours, growing to both sides while there is room. */
export function cutExcerpt(row: RecallRow, line: PassageLine, most: number): Excerpt {
  const from = Math.max(0, row.text.lastIndexOf('\n', Math.max(0, line.start - REACH)) + 1, line.start - 2 * REACH);
  const lines = splitPassageLines(row.text, from, Math.min(row.text.length, line.end + REACH));
  const found = lines.findIndex(({ end }) => end >= line.end);
  const at = found < 0 ? lines.length - 1 : found;
  let [first, last] = [at, at];
  const start = (index: number) => lines[index]?.start ?? line.start;
  const end = (index: number) => lines[index]?.end ?? line.end;
  for (let grown = true; grown;) {
    grown = false;
    if (first > 0 && at - first < LINES_BEFORE && end(last) - start(first - 1) <= most) [first, grown] = [first - 1, true];
    if (last < lines.length - 1 && last - at < LINES_AFTER && end(last + 1) - start(first) <= most) [last, grown] = [last + 1, true];
  }
  const [begin, stop] = [Math.min(start(first), line.start), Math.max(end(last), line.end)];
  return { start: begin, end: stop, text: `${begin > 0 ? '… ' : ''}${row.text.slice(begin, stop)}${stop < row.text.length ? ' …' : ''}` };
}
