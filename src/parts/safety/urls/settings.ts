import type { SettingsSlice } from '../../../contracts/settings.ts';

export const urlSettings = {
  'security.allow_private_urls': {
    kind: 'boolean',
    default: false,
    describe: 'Lets tools reach private, local and reserved addresses. Cloud metadata and disguised spellings stay out of reach.',
    source: 'reference tools-and-cli §2.7',
  },
  'security.website_blocklist.enabled': {
    kind: 'boolean',
    default: true,
    describe: 'Whether the lists of sites that must not be reached hold.',
    source: 'ours: an owner who fills a list means it; the reference (tools-and-cli §2.7) has the key',
  },
  'security.website_blocklist.domains': {
    kind: 'list',
    default: [],
    describe: 'Sites tools must not reach: example.org means it and all below it, *.example.org only what is below.',
    source: 'reference tools-and-cli §2.7',
  },
  'security.website_blocklist.shared_files': {
    kind: 'list',
    default: [],
    describe: 'Files with more such sites, one in a line; relative to the home folder.',
    source: 'reference tools-and-cli §2.7',
  },
  'security.url_allowlist': {
    kind: 'list',
    default: [],
    describe: 'When not empty, the only sites tools may reach: example.org means that host, *.example.org every host below it.',
    source: 'ours: empty, everything public may be reached, as in the reference',
  },
  'security.url_proxy_from_env': {
    kind: 'boolean',
    default: false,
    describe: 'Sends requests through HTTPS_PROXY, HTTP_PROXY and NO_PROXY of the environment. Addresses are judged here all the same.',
    source: 'ours: a proxy nobody asked for would see every page that is read',
  },
} as const satisfies SettingsSlice;
