import type { LogMessage } from '../../../../contracts/entry.ts';
import { takeStart } from '../../../../base/text.ts';
import { createTextBlock } from '../../../../contracts/message.ts';
import type { ToolOutput } from '../../../../contracts/tool.ts';
import { shortenName } from './draw.ts';
import { listForeignSources } from './transcript.ts';

/** Characters of a whole answer: some 3,000 tokens, of which memory should not cost more at a time. */
export const MAX_PAGE_CHARS = 12_000;

/** What is answered, and the messages of which anything is shown. */
export interface SessionPage {
  readonly text: string;
  readonly shown: readonly LogMessage[];
}

/** More sources than this are only counted. */
const MAX_SOURCES = 5;

export function toPageOutput({ text: words, shown }: SessionPage): ToolOutput {
  const sources = listForeignSources(shown).map(shortenName);
  const rest = sources.length - MAX_SOURCES;
  const foreign = [...sources.slice(0, MAX_SOURCES), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  return { content: [createTextBlock(takeStart(words, MAX_PAGE_CHARS), 'tool')], ...(foreign !== '' && { foreign }) };
}

export const joinLines = (...parts: readonly (string | readonly string[])[]): string => parts.flat().join('\n');

/** A call that shows more, as the model may write it. */
export const formatCall = (input: Readonly<Record<string, string>>): string => `session_search ${JSON.stringify(input)}`;
