import { splitCamelCase } from '../../../base/name-words.ts';
import { createTextBlock } from '../../../contracts/message.ts';
import type { AnyTool, Tool } from '../../../contracts/tool.ts';
import { toToolDefinition } from './definition.ts';
import { listDeferred, renderToolNames, type ToolTableLimits } from './table.ts';

export interface ToolSearchInput {
  readonly query: string;
  readonly limit?: number;
}
/** Characters for what there is, where nothing fits. */
const NAMED = 4_000;

/** Finds tools that are not in the table and tells how they are called. Its description names them, so that most need no search. */
export const toolSearchTool = (deferred: readonly AnyTool[], room: ToolTableLimits): Tool<ToolSearchInput> => ({
  name: 'tool_search',
  description: `More tools. Call them directly by name; search first to see their parameters:\n${listDeferred(deferred, room.listing)}`,
  input: {
    type: 'object',
    properties: { query: { type: 'string', description: 'Names or keywords' }, limit: { type: 'integer', minimum: 1 } },
    required: ['query'],
    additionalProperties: false,
  },
  effects: () => ({ kind: 'read', resources: [] }),
  replay: 'safe',
  idempotent: true,
  offTerminal: true,
  trust: 'tool',
  timeoutMs: 10_000,
  maxResult: 100_000,
  run: async ({ query, limit = room.hits.usual }) => {
    const found = ranked(query, deferred).slice(0, Math.min(limit, room.hits.most));
    const words =
      found.length === 0
        ? `No tool matches ${JSON.stringify(query)}. Available: ${renderToolNames(deferred, NAMED)}.`
        : found.map((tool) => JSON.stringify(toToolDefinition(tool))).join('\n');
    return { content: [createTextBlock(words, 'tool')], details: { kind: 'data', data: { found: found.map(({ name }) => name) } } };
  },
});

/** Tools that share words with the question, those whose name it says first. */
function ranked(query: string, tools: readonly AnyTool[]): AnyTool[] {
  const asked = { said: query.toLowerCase().split(/[\s,]+/), wanted: [...new Set(wordsOf(query))] };
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, asked) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}

/** The whole name, the name it has on its server, all words of its name, then word by word. */
const SCORES = { name: 10_000, ownName: 5_000, allWords: 1_000, inName: 10, inWords: 3 } as const;

interface SearchTerms {
  readonly said: readonly string[];
  readonly wanted: readonly string[];
}
function scoreOf({ name, description }: AnyTool, { said, wanted }: SearchTerms): number {
  const own = name.slice(name.lastIndexOf('__') + 1).replace(/^_/, '');
  if (said.includes(name.toLowerCase())) return SCORES.name;
  if (said.includes(own.toLowerCase())) return SCORES.ownName;
  const [inName, inWords] = [new Set(wordsOf(name)), new Set(wordsOf(description))];
  const sum = wanted.reduce((total, word) => total + (inName.has(word) ? SCORES.inName : 0) + (inWords.has(word) ? SCORES.inWords : 0), 0);
  return sum + (wordsOf(own).join(' ') === wanted.join(' ') ? SCORES.allWords : 0);
}

/** Words of a text or a name, however they are joined. Singular and plural are one word. */
const wordsOf = (value: string): string[] =>
  splitCamelCase(value)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));
