import type { JsonObject } from '../../../base/json-types.ts';
import type { ToolDefinition } from '../../../contracts/provider.ts';
import { toLine, type RecalledTurn } from './recall.ts';

/** One tool, and it only reads: every turn is kept anyway, and what the agent is told to forget the owner forgets. */
export const TOOLS: readonly ToolDefinition[] = [
  {
    name: 'journal_search',
    description: 'Search the journal of earlier sessions for facts: what people said, preferences, dates, decisions and results of work.',
    input: {
      type: 'object',
      properties: { query: { type: 'string', description: 'A question or a few words, as specific as possible.' } },
      required: ['query'],
    },
  },
];

export async function callTool(
  name: string,
  input: JsonObject,
  search: (query: string) => Promise<readonly RecalledTurn[]>,
): Promise<string> {
  if (name !== 'journal_search') throw new Error(`the journal has no tool ${name}; it has journal_search.`);
  const query = input['query'];
  if (typeof query !== 'string' || query.trim() === '') throw new Error('journal_search needs a query: a question or a few words.');
  const found = await search(query);
  return found.length === 0 ? 'The journal has nothing about that.' : found.map((turn) => toLine(turn).text).join('\n');
}
