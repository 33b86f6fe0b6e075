import { after } from 'node:test';
import type { NetworkAccess } from '../../../../../src/contracts/reach.ts';
import { collectDefaults, type SliceValues } from '../../../../../src/contracts/settings.ts';
import { openReach, type ReachOptions } from '../../../../../src/parts/safety/urls/reach.ts';
import { urlSettings } from '../../../../../src/parts/safety/urls/settings.ts';
import { webSettings } from '../../../../../src/parts/tools/builtin/web/settings.ts';
import { contextIn, deskAt } from '../../setup.ts';
import { KEY, startFakes } from './fakes.ts';

export const context = contextIn(deskAt('/nowhere'));

/** The real reach; names of pages lead to this machine where a test opened it. */
export const reachOf =
  (more: Partial<ReachOptions> = {}) =>
  (owned: readonly string[]): NetworkAccess =>
    openReach({ settings: collectDefaults(urlSettings), home: '/nowhere', resolve: async () => ['127.0.0.1'], owned, ...more });

const VARIABLES: Readonly<Record<string, string>> = {
  exa: 'EXA_API_KEY',
  tavily: 'TAVILY_API_KEY',
  firecrawl: 'FIRECRAWL_API_KEY',
  parallel: 'PARALLEL_API_KEY',
  brave: 'BRAVE_API_KEY',
};

/** Options with the fakes behind them and keys for the named services. */
export async function withFakes(
  keyed: readonly string[],
  settings: Partial<SliceValues<typeof webSettings>> = {},
  more: Partial<ReachOptions> = {},
) {
  const fakes = await startFakes();
  after(fakes.close);
  const keys = new Map(keyed.map((name) => [VARIABLES[name] ?? '', KEY]));
  const { searxng, ...bases } = fakes.bases;
  const searxngUrl = keyed.includes('searxng') ? { 'web.searxng_url': `${searxng ?? ''}/` } : {};
  return {
    fakes,
    keys,
    options: {
      settings: { ...collectDefaults(webSettings), ...searxngUrl, ...settings },
      reach: reachOf(more),
      variable: (name: string) => keys.get(name),
      bases,
    },
  };
}
