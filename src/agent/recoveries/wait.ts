import type { Failure } from '../../contracts/failure.ts';
import { BACKOFF } from '../bounds.ts';
import type { Recovery } from '../deps.ts';

/** Throttled, overloaded or broken on the way: wait as long as the provider says, else ever longer with jitter. */
export const wait: Recovery = {
  name: 'wait',
  cures: ['rate_limited', 'upstream_limited', 'overloaded', 'server_error', 'network', 'timeout', 'malformed'],
  apply: ({ failure, spent }, deps) => {
    if (failure.type === 'network' && failure.absent === true) return undefined;
    const stated = 'retryAfterMs' in failure ? failure.retryAfterMs : undefined;
    // A provider that asks for more patience than the cap will not be ready before it: waiting would only hide that.
    if (stated !== undefined && stated > BACKOFF.retryAfterCapMs) return undefined;
    const least = computeBackoff(BACKOFF.least, spent['wait'] ?? 0, deps.random);
    if (stated !== undefined) return { waitMs: Math.max(stated, least) };
    return { waitMs: computeBackoff(scaleOf(failure), spent['wait'] ?? 0, deps.random) };
  },
};

/** A wait that a fresh key or another route need not share. */
export const isLongWait = (failure: Failure): boolean => 'retryAfterMs' in failure && (failure.retryAfterMs ?? 0) > BACKOFF.patienceMs;

const scaleOf = (failure: Failure) => (failure.type === 'malformed' ? BACKOFF.malformed : BACKOFF.api);

/** min(base × 2ⁿ, cap) and up to half of that again. */
export function computeBackoff(
  { baseMs, capMs }: { readonly baseMs: number; readonly capMs: number },
  used: number,
  random: () => number,
): number {
  const delay = Math.min(baseMs * 2 ** used, capMs);
  return Math.round(delay + random() * 0.5 * delay);
}
