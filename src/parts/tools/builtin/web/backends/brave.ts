import { readPath } from '../../../../../base/json.ts';
import { takeStart } from '../../../../../base/text.ts';
import type { Backend } from './backend.ts';
import { parseHits } from './read.ts';

/** The service refuses longer questions. */
const MAX_CHARS = 400;
const MAX_WORDS = 50;

/** https://api-dashboard.search.brave.com/app/documentation (web search). Unproved against the live service. */
export const brave: Backend = {
  name: 'brave',
  label: 'Brave',
  keys: ['BRAVE_API_KEY', 'BRAVE_SEARCH_API_KEY'],
  base: 'https://api.search.brave.com',
  statuses: { 422: 'it does not take this question' },
  search: {
    perRequest: 20,
    // Offsets run from 0 to 9.
    pages: 10,
    request: ({ query, limit, page }, key) => {
      const parameters = new URLSearchParams({ q: fitting(query), count: String(limit), offset: String(page), text_decorations: 'false' });
      return {
        method: 'GET',
        path: `/res/v1/web/search?${parameters.toString()}`,
        headers: { accept: 'application/json', 'x-subscription-token': key },
      };
    },
    // Without results the section is left out.
    read: (answer) =>
      readPath(answer, 'web') === undefined && readPath(answer, 'type') === 'search'
        ? []
        : parseHits(answer, ['web', 'results'], { title: ['title'], description: ['description'] }),
  },
};

const fitting = (query: string): string => takeStart(query.split(/\s+/).slice(0, MAX_WORDS).join(' '), MAX_CHARS);
