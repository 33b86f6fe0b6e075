import { toOneLine } from '../../../../base/printable.ts';
import { takeStart } from '../../../../base/text.ts';
import { createTextBlock } from '../../../../contracts/message.ts';
import { ToolRefusal, type Tool, type ToolOutput } from '../../../../contracts/tool.ts';
import type { WebHit } from './backends/backend.ts';
import { coalesce } from './coalesce.ts';
import type { WebOptions } from './options.ts';
import { WEB_SEARCH_NEEDS, search, searchBackends, type WebSearchResult } from './search.ts';

export interface WebSearchInput {
  readonly query: string;
  readonly limit?: number;
}
export interface WebSearchOptions extends WebOptions {
  readonly now?: () => number;
}

const LIMIT = 5;
const MOST = 100;
const KEPT = 200;
const TITLE = 200;
const DESCRIPTION = 500;

export const webSearchTool = (options: WebSearchOptions): Tool<WebSearchInput> => {
  const ttlMs = options.settings['web.cache_ttl_minutes'] * 60_000;
  const asked = coalesce<WebSearchResult>({ ttlMs, most: KEPT, now: options.now ?? Date.now });
  return {
    name: 'web_search',
    description: 'Search the web for titles, URLs and descriptions.',
    input: {
      type: 'object',
      properties: {
        query: { type: 'string' },
        limit: { type: 'integer', minimum: 1, maximum: MOST, description: `Default ${LIMIT}` },
      },
      required: ['query'],
      additionalProperties: false,
    },
    effects: () => ({ kind: 'read', resources: ['web'] }),
    replay: 'safe',
    idempotent: true,
    offTerminal: true,
    trust: 'foreign',
    timeoutMs: 120_000,
    maxResult: 100_000,
    available: () => searchBackends(options).length > 0,
    needs: WEB_SEARCH_NEEDS,
    run: async ({ query, limit = LIMIT }, { signal }) => {
      const wanted = { query: query.trim().replaceAll(/\s+/g, ' '), limit: Math.min(Math.max(limit, 1), MOST) };
      if (wanted.query === '') throw new ToolRefusal('Not searched: the query is empty.');
      return draw(wanted.query, await asked(JSON.stringify(wanted), signal, (stop) => search(wanted, options, stop)));
    },
  };
};

function draw(query: string, { hits, label, notes }: WebSearchResult): ToolOutput {
  const head = hits.length === 0 ? `No results for ${JSON.stringify(query)}. Try other words.` : '';
  const failed = notes.length === 0 ? '' : `[Asked in vain: ${notes.join('; ')}. Answered by ${label}.]`;
  const lines = [head, ...hits.map(drawHit), failed].filter((line) => line !== '');
  return {
    content: [createTextBlock(lines.join('\n'), 'foreign')],
    foreign: `web search (${label})`,
    details: { kind: 'data', data: { backend: label, results: hits.map(({ title, url, description }) => ({ title, url, description })) } },
  };
}

const drawHit = ({ title, url, description }: WebHit, index: number): string =>
  [
    `${index + 1}. ${shortenLine(title, TITLE) || '(no title)'}`,
    `   ${toOneLine(url)}`,
    ...(description === '' ? [] : [`   ${shortenLine(description, DESCRIPTION)}`]),
  ].join('\n');

const shortenLine = (words: string, most: number): string => {
  const line = toOneLine(words);
  return line.length <= most ? line : `${takeStart(line, most)}…`;
};
