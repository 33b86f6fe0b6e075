import { readPath, readStringAt } from '../../../../../base/json.ts';
import type { Backend } from './backend.ts';
import { pickFirstItem, parseHits, pickText } from './read.ts';
import { toApiKeyHeader, post } from './request.ts';

const SNIPPET = 500;

/** https://docs.parallel.ai/api-reference (v1 search, extract). Unproved against the live service. */
export const parallel: Backend = {
  name: 'parallel',
  label: 'Parallel',
  keys: ['PARALLEL_API_KEY'],
  base: 'https://api.parallel.ai',
  search: {
    perRequest: 100,
    pages: 1,
    request: ({ query, limit }, key) =>
      post('/v1/search', toApiKeyHeader(key), {
        search_queries: [query],
        objective: query,
        mode: 'basic',
        advanced_settings: { max_results: limit, excerpt_settings: { max_chars_per_result: SNIPPET } },
      }),
    read: (answer) => parseHits(answer, ['results'], { title: ['title'], description: ['excerpts'] }),
  },
  extract: {
    request: (url, key) => post('/v1/extract', toApiKeyHeader(key), { urls: [url], advanced_settings: { full_content: true } }),
    read: (answer) => {
      const found = pickFirstItem(answer, 'results');
      if (found !== undefined) return { ok: true, title: pickText(found, ['title']), text: pickText(found, ['full_content', 'excerpts']) };
      const failed = pickFirstItem(answer, 'errors');
      if (failed === undefined && readPath(answer, 'results') === undefined) return undefined;
      return { ok: false, reason: readStringAt(failed, 'error_type') ?? 'there is no such page' };
    },
  },
};
