import type { CallRecord } from '../../contracts/ledger.ts';
import type { ProviderProfile } from '../../contracts/provider-profile.ts';
import { toRouteKey, type Runtime } from '../../contracts/runtime.ts';
import type { CacheTtl } from './prices.ts';
import { resolveQuirks } from './quirks.ts';

/** How far back, and at how many calls at most, is looked for what a cache gave. */
export const CACHE_SEEN_MS = 86_400_000;
const MAX_SEEN = 20;
/** With fewer calls there is nothing that could have come from a cache. */
const MIN_SEEN = 2;

export interface CachingQuestion {
  readonly ttl: CacheTtl;
  readonly profile: ProviderProfile | undefined;
  /** Calls of late, of any route. */
  readonly calls: readonly CallRecord[];
}

/** What is known of prompt caching on a route: what we ask for, and what the server said it gave. */
export function describeCaching(runtime: Runtime, { ttl, profile, calls }: CachingQuestion): string {
  const { provider, model, protocol } = runtime;
  const isMarked = protocol === 'anthropic-messages' || resolveQuirks(provider, model, profile).cacheMarks === true;
  const seen = describeSeen(calls.filter((call) => isCounted(call, runtime)).slice(-MAX_SEEN));
  if (!isMarked) return `left to ${provider}; ${seen ?? 'not known yet whether it caches'}`;
  if (ttl === 'off') return 'off (prompt_caching.cache_ttl is off)';
  return `on (${provider}, ${ttl} TTL)${seen === undefined ? '' : `; ${seen}`}`;
}

/** Counted by the server, and made from a log: its beginning may have been sent before. */
const isCounted = (call: CallRecord, runtime: Runtime): boolean =>
  toRouteKey(call.runtime) === toRouteKey(runtime) && call.purpose === undefined && call.usageEstimated !== true && countPrompt(call) > 0;
const countPrompt = ({ usage: { input, cacheRead, cacheWrite } }: CallRecord): number => input + cacheRead + cacheWrite;

function describeSeen(calls: readonly CallRecord[]): string | undefined {
  if (calls.length < MIN_SEEN) return undefined;
  const [prompt, cached] = [countPrompt, ({ usage }: CallRecord) => usage.cacheRead].map((count) =>
    calls.reduce((sum, call) => sum + count(call), 0),
  );
  const share = Math.round((100 * (cached ?? 0)) / (prompt ?? 1));
  return share === 0
    ? `no cache used in its last ${calls.length} calls`
    : `${share}% of its last ${calls.length} prompts came from a cache`;
}
