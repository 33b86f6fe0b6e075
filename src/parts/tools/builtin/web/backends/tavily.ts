import { readPath, readStringAt } from '../../../../../base/json.ts';
import type { Backend } from './backend.ts';
import { pickFirstItem, parseHits, pickText } from './read.ts';
import { toBearerHeader, post } from './request.ts';

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
    request: ({ query, limit }, key) => post('/search', toBearerHeader(key), { query, max_results: limit, search_depth: 'basic' }),
    read: (answer) => parseHits(answer, ['results'], { title: ['title'], description: ['content'] }),
  },
  extract: {
    request: (url, key) => post('/extract', toBearerHeader(key), { urls: [url], extract_depth: 'basic', format: 'markdown' }),
    read: (answer) => {
      const found = pickFirstItem(answer, 'results');
      if (found !== undefined) return { ok: true, title: pickText(found, ['title']), text: readStringAt(found, 'raw_content') ?? '' };
      const failed = pickFirstItem(answer, 'failed_results');
      if (failed === undefined && readPath(answer, 'results') === undefined) return undefined;
      return { ok: false, reason: readStringAt(failed, 'error') ?? 'there is no such page' };
    },
  },
};
