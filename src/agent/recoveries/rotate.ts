import type { Failure } from '../../contracts/failure.ts';
import { isLongWait } from './wait.ts';
import type { RecoveryAction, Recovery, TurnDeps } from '../deps.ts';
import type { Runtime } from '../../contracts/runtime.ts';

/** This key is exhausted: the provider's next one takes over. A first throttling is waited out on the same key if that is a matter of seconds. */
export const rotate: Recovery = {
  name: 'rotate',
  cures: ['unauthorized', 'forbidden', 'billing', 'rate_limited'],
  apply: ({ failure, runtime, spent }, deps) =>
    failure.type === 'rate_limited' && (spent['wait'] ?? 0) === 0 && !isLongWait(failure) ? undefined : nextKey(failure, runtime, deps),
};

/** Waiting was no way out (too long, or no tries left), so the next key need not wait for it either. */
export const rotateAtLast: Recovery = {
  name: 'rotate',
  cures: ['rate_limited'],
  apply: ({ failure, runtime }, deps) => nextKey(failure, runtime, deps),
};

async function nextKey(failure: Failure, runtime: Runtime, deps: TurnDeps): Promise<RecoveryAction | undefined> {
  switch (failure.type) {
    case 'rate_limited': {
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
}
