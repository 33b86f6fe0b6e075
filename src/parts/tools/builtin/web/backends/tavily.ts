import { readPath, stringAt } from '../../../../../base/json.ts';
import type { Backend } from './backend.ts';
import { firstAt, hitsAt, wordsAt } from './read.ts';
import { bearerHeader, post } from './request.ts';

/** https://docs.tavily.com/documentation/api-reference (search, extract). Unproved against the live service. */
export const tavily: Backend = {
  name: 'tavily',
  label: 'Tavily',
  keys: ['TAVILY_API_KEY'],
  base: 'https://api.tavily.com',
  statuses: { 432: 'its plan is used up', 433: 'its spending limit is reached' },
  search: {
    perRequest: 20,
    pages: 1,
    request: ({ query, limit }, key) => post('/search', bearerHeader(key), { query, max_results: limit, search_depth: 'basic' }),
    read: (answer) => hitsAt(answer, ['results'], { title: ['title'], description: ['content'] }),
  },
  extract: {
    request: (url, key) => post('/extract', bearerHeader(key), { urls: [url], extract_depth: 'basic', format: 'markdown' }),
    read: (answer) => {
      const found = firstAt(answer, 'results');
      if (found !== undefined) return { ok: true, title: wordsAt(found, ['title']), text: stringAt(found, 'raw_content') ?? '' };
      const failed = firstAt(answer, 'failed_results');
      if (failed === undefined && readPath(answer, 'results') === undefined) return undefined;
      return { ok: false, reason: stringAt(failed, 'error') ?? 'there is no such page' };
    },
  },
};
