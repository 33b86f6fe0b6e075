import { clip } from '../../../base/text.ts';
import { toolCalls, visibleText, type ToolCall } from '../../../contracts/message.ts';
import { textTokens } from '../tokens.ts';
import { clipTokens } from './blocks.ts';
import { oneLine, resultLine } from './outcome.ts';
import { callsById, type Row } from './rows.ts';
import { DIGEST_OPEN } from './words.ts';

const WORDS_LENGTH = 200;
/** What of the budget earlier notes may keep. */
const EARLIER_SHARE = 0.35;

/** Notes without a model: one line for each step, the newest kept. What people said stands elsewhere, word for word. */
export function digestOf(rows: readonly Row[], earlier: string, budget: number): string {
  const before = earlier === '' ? [] : [clipTokens(earlier, budget * EARLIER_SHARE)];
  const intro = [DIGEST_OPEN, ...before, '## Steps'];
  const calls = callsById(rows.map(({ message }) => message));
  const lines = rows.flatMap((row) => lineOf(row, calls));
  const kept = newestWithin(lines, budget - textTokens(intro.join('\n')) - 20);
  const missing = lines.length - kept.length;
  return [...intro, ...(missing === 0 ? [] : [`- (${missing} older lines left out)`]), ...kept].join('\n');
}

function lineOf({ message, summary, fromSeq }: Row, calls: ReadonlyMap<string, ToolCall>): string[] {
  if (summary !== undefined || message.role === 'user') return [];
  if (message.role === 'tool') return [`- [${fromSeq}] ${resultLine(message, calls.get(message.callId))}`];
  const words = clip(oneLine(visibleText(message)), WORDS_LENGTH, () => ' […] ');
  // A call is told by its result.
  return words === '' || (words.length < 20 && toolCalls(message).length > 0) ? [] : [`- [${fromSeq}] said: ${words}`];
}

function newestWithin(lines: readonly string[], budget: number): readonly string[] {
  let spent = 0;
  const first = lines.findLastIndex((line) => (spent += textTokens(line) + 1) > budget);
  return lines.slice(first + 1);
}
