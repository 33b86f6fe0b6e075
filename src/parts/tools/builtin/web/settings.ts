import type { SettingsSlice } from '../../../../contracts/settings.ts';

export const webSettings = {
  'web.backend': {
    kind: 'choice',
    default: 'auto',
    choices: ['auto', 'exa', 'tavily', 'firecrawl', 'parallel', 'brave', 'searxng'],
    unsupported: ['ddgs', 'brave-free', 'xai'],
    describe:
      'Where web_search asks first; auto takes the first that has a key or an address. The others that have one stand in when it fails.',
    source: 'reference tools-and-cli §1.9 (chosen by keys)',
  },
  'web.extract_backend': {
    kind: 'choice',
    default: 'plain',
    choices: ['plain', 'exa', 'tavily', 'firecrawl', 'parallel'],
    describe: 'How web_extract reads pages: plain fetches them itself, the others need a key and see every address.',
    source: 'ours: no key needed, nobody else is told what is read',
  },
  'web.searxng_url': {
    kind: 'string',
    default: '',
    describe: 'Address of your own SearXNG, with the format json allowed in its settings.',
    source: 'reference tools-and-cli §1.9 (SearXNG)',
    env: 'SEARXNG_URL',
  },
  'web.extract_char_limit': {
    kind: 'integer',
    default: 15_000,
    min: 1_000,
    describe: 'Characters of one page shown to the model, head and tail; the whole stays on disk.',
    source: 'reference tools-and-cli §1.9 and §6.8 (15,000)',
  },
  'web.cache_ttl_minutes': {
    kind: 'integer',
    default: 20,
    min: 0,
    describe: 'Minutes in which the same search is not asked again.',
    source: 'reference tools-and-cli §6.8 (20)',
  },
  'web.cache_days': {
    kind: 'integer',
    default: 7,
    min: 1,
    describe: 'Days the text of a page stays on disk.',
    source: 'ours: long enough to come back to it within a piece of work',
  },
  'web.cache_mb': {
    kind: 'integer',
    default: 200,
    min: 1,
    describe: 'Megabytes all stored pages may take together; the oldest go first.',
    source: 'ours: some thousand pages',
  },
} as const satisfies SettingsSlice;
