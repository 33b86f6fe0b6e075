import { splitCamelCase } from '../../../base/name-words.ts';
import type { AnyTool } from '../../../contracts/tool.ts';

/** Words that say nothing of what a server is for. */
const COMMON: ReadonlySet<string> = new Set(
  [
    'tool tools server return returns given with from this that these those the and for are was not all any its into when your their other',
    'get gets list lists create creates update updates delete deletes remove set add use used using make read write find search fetch call',
    'name names value values data type types item items string number optional required parameter parameters default one two new existing',
  ].flatMap((words) => words.split(' ')),
);
const MAX_WORDS = 6;
const MAX_WORD = 20;

/**
 * What the tools of a server are about: the words most of them have in common, in names and descriptions. Single words only,
 * as the descriptions are somebody else's. Empty when they have none.
 */
export function summarizeTools(server: string, tools: readonly Pick<AnyTool, 'name' | 'description'>[]): string {
  const own = new Set(wordsOf(server));
  const counts = new Map<string, number>();
  for (const { name, description } of tools)
    for (const word of new Set(wordsOf(`${name.slice(server.length)} ${description}`)))
      if (!own.has(word) && !COMMON.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > 1)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MAX_WORDS)
    .map(([word]) => word)
    .join(', ');
}

const wordsOf = (text: string): string[] =>
  splitCamelCase(text)
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length > 2 && word.length <= MAX_WORD)
    .map((word) => (word.length > 3 ? word.replace(/(?<!s)s$/, '') : word));
