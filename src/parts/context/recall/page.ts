import { toOneLine } from '../../../base/printable.ts';
import { takeStart } from '../../../base/text.ts';
import { createTextBlock } from '../../../contracts/message.ts';
import type { ToolOutput } from '../../../contracts/tool.ts';
import { TOOL_NAME, type RecallRow } from './rows.ts';

/** Characters of a whole answer, some 2,300 tokens; notes on how to go on come on top. */
export const TOTAL = 9_000;

/** What is answered, and the rows of which any words are shown. */
export interface RecallPage {
  readonly text: string;
  readonly shown: readonly RecallRow[];
}

/** More sources than this are only counted. */
const MAX_SOURCES = 5;

export function toRecallOutput({ text: words, shown }: RecallPage): ToolOutput {
  const sources = [...new Set(shown.flatMap((row) => row.foreign))].map((source) => cut(source, 100));
  const rest = sources.length - MAX_SOURCES;
  const foreign = [...sources.slice(0, MAX_SOURCES), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  return { content: [createTextBlock(words.toWellFormed(), 'tool')], ...(foreign !== '' && { foreign }) };
}

/** Whose row it is and when it came: `#12 user, 2026-11-15 12:03`. */
export const formatRowHeading = ({ seq, who, at, foreign }: RecallRow): string =>
  `#${seq} ${cut(who, 200)}, ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}${foreign.length > 0 ? `, from outside: ${cut(foreign.join(', '), 100)}` : ''}`;

export const cut = (words: string, most: number): string => {
  const line = toOneLine(takeStart(words, most * 4));
  return line.length > most ? `${takeStart(line, most - 1)}…` : line;
};

/** Lines of a row are set in, so that nothing they say can pass for the beginning of another. */
export const indentLines = (words: string): string => `  ${words.replaceAll(/[\n\u2028\u2029]/g, '\n  ')}`;

/** A call that shows more, as the model may write it. */
export const formatRecallCall = (input: Readonly<Record<string, string | number>>): string => `${TOOL_NAME} ${JSON.stringify(input)}`;

/** `#3, #5, #8 and 12 more`. */
export function listNumbers(seqs: readonly number[], most: number): string {
  const named = seqs.slice(0, most).map((seq) => `#${seq}`);
  return seqs.length > most ? `${named.join(', ')} and ${seqs.length - most} more` : named.join(', ');
}
