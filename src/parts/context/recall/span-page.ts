import { takeStart } from '../../../base/text.ts';
import { ToolFailure } from '../../../contracts/tool.ts';
import type { RecallLog } from './log.ts';
import { formatRecallCall, formatRowHeading, TOTAL, type RecallPage } from './page.ts';
import type { RecallRow } from './rows.ts';

export interface SeqSpan {
  readonly from: number;
  readonly to: number;
  /** Characters of the first row to leave out: they were read before. */
  readonly offset: number;
}

/** The head of a row is only worth its place with some of the row behind it. */
const LEAST = 200;

/** The rows of a span word for word, as many as fit, and the call that goes on from there. */
export function renderSpanPage(span: SeqSpan, log: RecallLog): RecallPage {
  const { from, to } = fitted(span, log);
  const shown: RecallRow[] = [];
  const blocks: string[] = [];
  let left = TOTAL;
  for (let seq = from; seq <= to; seq++) {
    const row = log.row(seq);
    if (row === undefined) continue;
    const start = seq === from ? Math.min(span.offset, row.text.length) : 0;
    if (left < LEAST) return { text: [...blocks, `Go on: ${formatRecallCall({ from: seq, to })}`].join('\n\n'), shown };
    const part = takeStart(row.text.slice(start, start + left), left);
    const end = start + part.length;
    blocks.push(`${formatRowHeading(row)}, characters ${start}–${end} of ${row.text.length}:\n${part}`);
    shown.push(row);
    left -= part.length + LEAST / 2;
    if (end < row.text.length)
      return { text: [...blocks, `Cut there. Go on: ${formatRecallCall({ from: seq, to, offset: end })}`].join('\n\n'), shown };
  }
  if (blocks.length === 0) blocks.push(`#${from} to #${to} hold no messages.`);
  return { text: [...blocks, `That is all of #${from} to #${to}; the log goes to #${log.lastSeq}.`].join('\n\n'), shown };
}

function fitted(span: SeqSpan, { lastSeq }: RecallLog): { from: number; to: number } {
  const [low, high] = [Math.min(span.from, span.to), Math.max(span.from, span.to)];
  if (low > lastSeq || high < 1)
    throw new ToolFailure(
      `This session has no entries ${low} to ${high}: they go from 1 to ${lastSeq}. Without arguments you get an overview.`,
    );
  return { from: Math.max(1, low), to: Math.min(lastSeq, high) };
}
