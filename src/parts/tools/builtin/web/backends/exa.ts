import { readPath, readStringAt } from '../../../../../base/json.ts';
import type { Backend } from './backend.ts';
import { pickFirstItem, parseHits, pickText } from './read.ts';
import { toApiKeyHeader, post } from './request.ts';

const SNIPPET = 500;

/** https://exa.ai/docs/reference (search, contents). Unproved against the live service. */
export const exa: Backend = {
  name: 'exa',
  label: 'Exa',
  keys: ['EXA_API_KEY'],
  base: 'https://api.exa.ai',
  search: {
    perRequest: 100,
    pages: 1,
    request: ({ query, limit }, key) =>
      post('/search', toApiKeyHeader(key), {
        query,
        type: 'auto',
        numResults: limit,
        contents: { highlights: { maxCharacters: SNIPPET } },
      }),
    read: (answer) => parseHits(answer, ['results'], { title: ['title'], description: ['highlights', 'summary', 'text'] }),
  },
  extract: {
    request: (url, key) => post('/contents', toApiKeyHeader(key), { urls: [url], text: true }),
    read: (answer) => {
      const found = pickFirstItem(answer, 'results');
      if (found !== undefined) return { ok: true, title: pickText(found, ['title']), text: readStringAt(found, 'text') ?? '' };
      const status = pickFirstItem(answer, 'statuses');
      if (status === undefined && readPath(answer, 'results') === undefined) return undefined;
      return { ok: false, reason: readStringAt(status, 'error', 'tag') ?? 'there is no such page' };
    },
  },
};
