import { readPath, stringAt } from '../../../../../base/json.ts';
import type { Backend } from './backend.ts';
import { firstAt, hitsAt, wordsAt } from './read.ts';
import { apiKey, post } from './request.ts';

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
      post('/v1/search', apiKey(key), {
        search_queries: [query],
        objective: query,
        mode: 'basic',
        advanced_settings: { max_results: limit, excerpt_settings: { max_chars_per_result: SNIPPET } },
      }),
    read: (answer) => hitsAt(answer, ['results'], { title: ['title'], description: ['excerpts'] }),
  },
  extract: {
    request: (url, key) => post('/v1/extract', apiKey(key), { urls: [url], advanced_settings: { full_content: true } }),
    read: (answer) => {
      const found = firstAt(answer, 'results');
      if (found !== undefined) return { ok: true, title: wordsAt(found, ['title']), text: wordsAt(found, ['full_content', 'excerpts']) };
      const failed = firstAt(answer, 'errors');
      if (failed === undefined && readPath(answer, 'results') === undefined) return undefined;
      return { ok: false, reason: stringAt(failed, 'error_type') ?? 'there is no such page' };
    },
  },
};
