import type { Recovery } from '../recover.ts';

/** This key is exhausted: the provider's next one takes over. A first throttling is waited out on the same key. */
export const rotate: Recovery = {
  name: 'rotate',
  cures: ['unauthorized', 'forbidden', 'billing', 'rate_limited'],
  apply: async ({ failure, runtime, spent }, deps) => {
    switch (failure.type) {
      case 'rate_limited': {
        if ((spent['wait'] ?? 0) === 0) return undefined;
        const next = await deps.routes.rotate(runtime, 'rate_limited', failure.retryAfterMs);
        return next && { runtime: next };
      }
      case 'unauthorized':
      case 'forbidden':
      case 'billing': {
        const next = await deps.routes.rotate(runtime, failure.type);
        return next && { runtime: next };
      }
      default:
        return undefined;
    }
  },
};
