import type { SettingsSlice } from '../../../../contracts/settings.ts';

export const webSettings = {
  'web.backend': {
    kind: 'choice',
    owner: true,
    default: 'auto',
    choices: ['auto', 'exa', 'tavily', 'firecrawl', 'parallel', 'brave', 'searxng'],
    unsupported: ['ddgs', 'brave-free', 'xai'],
    describe:
      'The search service that web_search uses first. `auto` uses the first one that has a key or an address. If a service fails, the others that have one are tried.',
  },
  'web.extract_backend': {
    kind: 'choice',
    owner: true,
    default: 'plain',
    choices: ['plain', 'exa', 'tavily', 'firecrawl', 'parallel'],
    describe:
      'How web_extract reads pages. `plain` fetches them from this machine. The other services need a key and see every address you read.',
  },
  'web.searxng_url': {
    kind: 'string',
    owner: true,
    default: '',
    describe: 'The address of your SearXNG server. Its settings must allow the json format.',
    env: 'SEARXNG_URL',
  },
  'web.extract_char_limit': {
    kind: 'integer',
    default: 15_000,
    min: 1_000,
    describe: 'How much of a page the model sees, in characters: the beginning and the end. The whole page is saved to a file.',
  },
  'web.cache_ttl_minutes': {
    kind: 'integer',
    default: 20,
    min: 0,
    describe: 'How long to reuse the result of the same search, in minutes.',
  },
  'web.cache_days': {
    kind: 'integer',
    default: 7,
    min: 1,
    describe: 'How long to keep the text of pages, in days.',
  },
  'web.cache_mb': {
    kind: 'integer',
    default: 200,
    min: 1,
    describe: 'Maximum size of all saved pages on disk, in megabytes. The oldest are deleted first.',
  },
} as const satisfies SettingsSlice;
