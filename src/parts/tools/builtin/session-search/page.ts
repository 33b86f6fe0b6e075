import type { LogMessage } from '../../../../contracts/entry.ts';
import { safeHead } from '../../../../base/text.ts';
import { text } from '../../../../contracts/message.ts';
import type { ToolOutput } from '../../../../contracts/tool.ts';
import { shortenName } from './draw.ts';
import { foreignSources } from './transcript.ts';

/** Characters of a whole answer: some 3,000 tokens, of which memory should not cost more at a time. */
export const TOTAL = 12_000;

/** What is answered, and the messages of which anything is shown. */
export interface SessionPage {
  readonly text: string;
  readonly shown: readonly LogMessage[];
}

/** More sources than this are only counted. */
const MOST_SOURCES = 5;

export function outputOf({ text: words, shown }: SessionPage): ToolOutput {
  const sources = foreignSources(shown).map(shortenName);
  const rest = sources.length - MOST_SOURCES;
  const foreign = [...sources.slice(0, MOST_SOURCES), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  return { content: [text(safeHead(words, TOTAL), 'tool')], ...(foreign !== '' && { foreign }) };
}

export const joinLines = (...parts: readonly (string | readonly string[])[]): string => parts.flat().join('\n');

/** A call that shows more, as the model may write it. */
export const call = (input: Readonly<Record<string, string>>): string => `session_search ${JSON.stringify(input)}`;
