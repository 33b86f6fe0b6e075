import { ownersAlone, type SettingsSlice } from '../../../contracts/settings.ts';

export const urlSettings = ownersAlone({
  'security.allow_private_urls': {
    kind: 'boolean',
    default: false,
    describe: 'Let tools reach private, local and reserved addresses. Cloud metadata addresses and disguised spellings stay blocked.',
  },
  'security.website_blocklist.enabled': {
    kind: 'boolean',
    default: true,
    describe: 'Use the website blocklist.',
  },
  'security.website_blocklist.domains': {
    kind: 'list',
    default: [],
    describe: 'Sites that tools cannot reach. example.org blocks the site and its subdomains, *.example.org only the subdomains.',
  },
  'security.website_blocklist.shared_files': {
    kind: 'list',
    default: [],
    describe: 'Files with more blocked sites, one per line. Paths are relative to the home folder.',
  },
  'security.url_allowlist': {
    kind: 'list',
    default: [],
    describe: 'If not empty, tools can reach only these sites. example.org allows that host, *.example.org all its subdomains.',
  },
  'security.url_proxy_from_env': {
    kind: 'boolean',
    default: false,
    describe:
      'Send requests through the proxy in HTTPS_PROXY, HTTP_PROXY and NO_PROXY. The proxy then sees the address of every page. Hermes still checks addresses itself.',
  },
} as const satisfies SettingsSlice);
