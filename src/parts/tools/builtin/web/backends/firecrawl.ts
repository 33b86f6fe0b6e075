import { readPath, readStringAt } from '../../../../../base/json.ts';
import type { Backend } from './backend.ts';
import { parseHits } from './read.ts';
import { toBearerHeader, post } from './request.ts';

/** https://docs.firecrawl.dev/api-reference (v2 search, scrape). Unproved against the live service. */
export const firecrawl: Backend = {
  name: 'firecrawl',
  label: 'Firecrawl',
  keys: ['FIRECRAWL_API_KEY'],
  base: 'https://api.firecrawl.dev',
  baseVariable: 'FIRECRAWL_API_URL',
  statuses: { 402: 'its credits are used up' },
  search: {
    perRequest: 100,
    pages: 1,
    request: ({ query, limit }, key) => post('/v2/search', toBearerHeader(key), { query, limit }),
    read: (answer) => {
      const shape = { title: ['title'], description: ['description', 'snippet'] };
      if (readPath(answer, 'success') !== true) return undefined;
      return parseHits(answer, ['data', 'web'], shape) ?? (readPath(answer, 'data') === undefined ? undefined : []);
    },
  },
  extract: {
    request: (url, key) => post('/v2/scrape', toBearerHeader(key), { url, formats: ['markdown'], onlyMainContent: true }),
    read: (answer) => {
      const page = readPath(answer, 'data');
      if (readPath(answer, 'success') !== true || page === undefined) return undefined;
      const failed = readStringAt(page, 'metadata', 'error');
      const text = readStringAt(page, 'markdown') ?? '';
      if (failed !== undefined && text === '') return { ok: false, reason: failed };
      return { ok: true, title: readStringAt(page, 'metadata', 'title') ?? '', text };
    },
  },
};
