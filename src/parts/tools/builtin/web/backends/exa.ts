import { readPath, stringAt } from '../../../../../base/json.ts';
import type { Backend } from './backend.ts';
import { firstAt, hitsAt, wordsAt } from './read.ts';
import { apiKey, post } from './request.ts';

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
      post('/search', apiKey(key), { query, type: 'auto', numResults: limit, contents: { highlights: { maxCharacters: SNIPPET } } }),
    read: (answer) => hitsAt(answer, ['results'], { title: ['title'], description: ['highlights', 'summary', 'text'] }),
  },
  extract: {
    request: (url, key) => post('/contents', apiKey(key), { urls: [url], text: true }),
    read: (answer) => {
      const found = firstAt(answer, 'results');
      if (found !== undefined) return { ok: true, title: wordsAt(found, ['title']), text: stringAt(found, 'text') ?? '' };
      const status = firstAt(answer, 'statuses');
      if (status === undefined && readPath(answer, 'results') === undefined) return undefined;
      return { ok: false, reason: stringAt(status, 'error', 'tag') ?? 'there is no such page' };
    },
  },
};
