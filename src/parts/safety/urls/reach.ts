import { toErrorMessage } from '../../../base/errors.ts';
import { parseOrigin } from '../../../base/http.ts';
import type { NetworkAccess } from '../../../contracts/reach.ts';
import type { SliceValues } from '../../../contracts/settings.ts';
import type { JudgeLeg } from './follow.ts';
import { judgeAddresses, judgeUrl, type Rules } from './judge.ts';
import { toHostPattern, toHostPatterns, createHostPatternReader } from './lists.ts';
import { awaitOrAbort, resolveWithSystem, type Resolve } from './resolve.ts';
import type { urlSettings } from './settings.ts';

export interface ReachOptions {
  readonly settings: SliceValues<typeof urlSettings>;
  /** The profile's folder: relative paths of shared lists lie in it. */
  readonly home: string;
  /**
   * Addresses of back ends the owner set up for a tool (a SearXNG at home): reached wherever they lie, their redirects
   * not. Never for addresses a model chose: it could then talk to the same service in other words.
   */
  readonly owned?: readonly string[];
  /** Single addresses that count as public. */
  readonly open?: readonly string[];
  readonly resolve?: Resolve;
  /** Where proxies are looked for when the settings allow them. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly notice?: (words: string) => void;
}

/** Opens the network as far as the owner's settings allow. Loads nothing of the network before the first request. */
export function openReach(options: ReachOptions): NetworkAccess {
  const judge = legJudge(options);
  const env = options.settings['security.url_proxy_from_env'] ? (options.env ?? {}) : {};
  return {
    check: async (url, signal) => {
      const verdict = await judge(url, true, signal).catch((error: unknown) => ({ ok: false as const, reason: toErrorMessage(error) }));
      if (!verdict.ok) return { allow: false, reason: verdict.reason };
      return { allow: true, url: verdict.spelt.url.href, addresses: verdict.addresses };
    },
    fetch: async (ask) => {
      const [{ follow }, { findProxy }] = await Promise.all([import('./follow.ts'), import('../../../base/proxy-env.ts')]);
      return follow(ask, { judge, proxyFor: (url) => findProxy(url, env)?.url });
    },
  };
}

function legJudge(options: ReachOptions): JudgeLeg {
  const rulesNow = openRuleBook(options);
  const resolve = options.resolve ?? resolveWithSystem;
  return async (text, first, signal) => {
    const rules = rulesNow();
    const judged = judgeUrl(text, first ? rules : { ...rules, owned: [] });
    if (!judged.ok) return judged;
    const { spelt, owned } = judged;
    if (spelt.literal) return { ok: true, spelt, addresses: [spelt.host] };
    const found = await addressesOf(spelt.host, resolve, signal);
    if (typeof found === 'string') return { ok: false, reason: found };
    const reason = owned ? undefined : judgeAddresses(spelt.host, found, rules);
    return reason === undefined ? { ok: true, spelt, addresses: found } : { ok: false, reason };
  };
}

async function addressesOf(host: string, resolve: Resolve, signal: AbortSignal): Promise<readonly string[] | string> {
  try {
    return await awaitOrAbort(resolve(host, signal), signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return `Refused: ${host} could not be looked up (${toErrorMessage(error)}).`;
  }
}

export function openRuleBook({ settings, home, notice, owned = [], open = [] }: ReachOptions): () => Rules {
  const on = settings['security.website_blocklist.enabled'];
  const paths = on ? settings['security.website_blocklist.shared_files'] : [];
  const shared = createHostPatternReader({ paths, home, ...(notice !== undefined && { notice }) });
  const own = on ? toHostPatterns(settings['security.website_blocklist.domains']) : [];
  const fixed = {
    allowPrivate: settings['security.allow_private_urls'],
    // An entry that is no name allows nothing; were it dropped, a list of such entries would allow everything.
    allowed: settings['security.url_allowlist'].map((entry) => toHostPattern(entry) ?? entry),
    owned: owned.map(parseOrigin).filter((origin) => origin !== ''),
    open,
  };
  return () => ({ ...fixed, blocked: [...own, ...shared()] });
}
