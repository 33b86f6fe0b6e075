import type { Backend } from './backend.ts';
import { parseHits } from './read.ts';

/** https://docs.searxng.org/dev/search_api.html. Unproved against a live instance. */
export const searxng: Backend = {
  name: 'searxng',
  label: 'SearXNG',
  keys: [],
  base: '',
  statuses: { 403: 'it does not give out JSON: add json to search.formats in its settings.yml', 429: 'its limiter holds us off' },
  search: {
    // It decides by itself how many a page has.
    perRequest: 100,
    pages: 10,
    request: ({ query, page }) => ({
      method: 'GET',
      path: `/search?${new URLSearchParams({ q: query, format: 'json', pageno: String(page + 1) }).toString()}`,
      headers: { accept: 'application/json' },
    }),
    read: (answer) => parseHits(answer, ['results'], { title: ['title'], description: ['content'] }),
  },
};
