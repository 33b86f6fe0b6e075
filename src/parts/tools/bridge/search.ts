import { text } from '../../../contracts/message.ts';
import type { AnyTool, Tool } from '../../../contracts/tool.ts';
import { leanDefinition } from './definition.ts';
import { listing, type TableRoom } from './table.ts';

export interface SearchInput {
  readonly query: string;
  readonly limit?: number;
}

/** Finds tools that are not in the table and tells how they are called. Its description names them, so that most need no search. */
export const toolSearchTool = (deferred: readonly AnyTool[], room: TableRoom): Tool<SearchInput> => ({
  name: 'tool_search',
  description: `Describes more tools, called through tool_call: ${listing(deferred, room.listing)}`,
  input: {
    type: 'object',
    properties: { query: { type: 'string', description: 'Names or words' }, limit: { type: 'integer', minimum: 1 } },
    required: ['query'],
    additionalProperties: false,
  },
  effects: () => ({ kind: 'read', resources: [] }),
  replay: 'safe',
  idempotent: true,
  trust: 'tool',
  timeoutMs: 10_000,
  maxResult: 100_000,
  run: async ({ query, limit = room.hits.usual }) => {
    const found = ranked(query, deferred).slice(0, Math.min(limit, room.hits.most));
    const words =
      found.length === 0
        ? `No tool fits ${JSON.stringify(query)}. There are: ${deferred.map(({ name }) => name).join(', ')}.`
        : found.map((tool) => JSON.stringify(leanDefinition(tool))).join('\n');
    return { content: [text(words, 'tool')], details: { found: found.map(({ name }) => name) } };
  },
});

/** Tools that share words with the question, those whose name it says first. */
function ranked(query: string, tools: readonly AnyTool[]): AnyTool[] {
  const wanted = wordsOf(query);
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, query, wanted) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}

function scoreOf({ name, description }: AnyTool, query: string, wanted: readonly string[]): number {
  if (
    query
      .toLowerCase()
      .split(/[\s,]+/)
      .includes(name.toLowerCase())
  )
    return 1_000;
  const [inName, inWords] = [new Set(wordsOf(name)), new Set(wordsOf(description))];
  return wanted.reduce((sum, word) => sum + (inName.has(word) ? 10 : 0) + (inWords.has(word) ? 3 : 0), 0);
}

/** Singular and plural are one word. */
const wordsOf = (value: string): string[] =>
  value
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));
