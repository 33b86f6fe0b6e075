import type { ToolCall } from '../../../contracts/message.ts';
import { estimateTextTokens } from '../view/tokens.ts';
import { clipTokens } from './rows/blocks.ts';
import { describeToolResult } from './rows/outcome.ts';
import { indexCallsById, type ViewRow } from './rows/rows.ts';
import type { IsSuspicious } from './suspicious.ts';
import { DIGEST_OPEN, describeOmittedOrders } from './words.ts';

/** What of the budget earlier notes may keep. */
const EARLIER_SHARE = 0.35;

/**
 * Notes without a model: one line for each result, the newest kept. What was said stands among the facts. A line that orders
 * the model about can only have come out of the log, and stays there.
 */
export function renderDigest(rows: readonly ViewRow[], earlier: string, budget: number, suspicious: IsSuspicious): string {
  const before = earlier === '' ? [] : clipTokens(earlier, budget * EARLIER_SHARE).split('\n');
  const intro = [DIGEST_OPEN, ...before, '## Steps'];
  const calls = indexCallsById(rows.map(({ message }) => message));
  const lines = rows.flatMap((row) => lineOf(row, calls));
  const kept = newestWithin(lines, budget - estimateTextTokens(intro.join('\n')) - MARK_TOKENS);
  const missing = lines.length - kept.length;
  return dropSuspiciousLines([...intro, ...(missing === 0 ? [] : [`- (${missing} older lines left out)`]), ...kept], suspicious).join('\n');
}
/** What the lines on what is left out may take. */
const MARK_TOKENS = 45;

/** An order may be spread over so many lines. */
const TOGETHER = 4;

/** The lines without those that read like an order, alone or with the ones before them. */
export function dropSuspiciousLines(lines: readonly string[], suspicious: IsSuspicious): readonly string[] {
  // Most digests are clean, and one look at the whole is much cheaper than one at each line.
  if (!suspicious(lines.join('\n'))) return lines;
  const kept: string[] = [];
  for (const line of lines) {
    const together = [...kept.slice(1 - TOGETHER), line].join('\n');
    if (!suspicious(line) && !suspicious(together)) kept.push(line);
  }
  const rest = suspicious(kept.join('\n')) ? [] : kept;
  return [...rest, describeOmittedOrders(lines.length - rest.length)];
}

const lineOf = ({ message, fromSeq }: ViewRow, calls: ReadonlyMap<string, ToolCall>): string[] =>
  message.role === 'tool' ? [`- [${fromSeq}] ${describeToolResult(message, calls.get(message.callId))}`] : [];

function newestWithin(lines: readonly string[], budget: number): readonly string[] {
  let spent = 0;
  const first = lines.findLastIndex((line) => (spent += estimateTextTokens(line) + 1) > budget);
  return lines.slice(first + 1);
}
