import type { FailureType } from '../../contracts/failure.ts';
import type { TurnInPhase, TurnState } from '../../contracts/turn.ts';
import { BOUNDS } from '../bounds.ts';
import type { RecoveryAction, Recovery, TurnDeps } from '../deps.ts';
import { applyRouteFacts } from '../route.ts';
import { isLongWait } from './wait.ts';

/** How much patience each failure gets on its own route before the chain is walked: uses of another recovery. */
const PATIENCE: Partial<Record<FailureType, { readonly of: keyof typeof BOUNDS; readonly uses: number }>> = {
  overloaded: { of: 'wait', uses: 2 },
  timeout: { of: 'wait', uses: 2 },
  server_error: { of: 'wait', uses: 2 },
  network: { of: 'wait', uses: 2 },
  malformed: { of: 'wait', uses: 2 },
  rate_limited: { of: 'wait', uses: 1 },
  empty: { of: 'retry_empty', uses: BOUNDS.retry_empty.limit },
  thinking_only: { of: 'prefill_thinking', uses: BOUNDS.prefill_thinking.limit },
};

/** Another provider or model of the owner's chain takes over for the rest of the turn. */
export const fallback: Recovery = {
  name: 'fallback',
  cures: [
    'overloaded',
    'timeout',
    'server_error',
    'network',
    'malformed',
    'rate_limited',
    'upstream_limited',
    'unauthorized',
    'forbidden',
    'billing',
    'tls',
    'model_not_found',
    'endpoint_not_found',
    'bad_request',
    'context_overflow',
    'content_blocked',
    'empty',
    'thinking_only',
  ],
  apply: (state, deps) => (isLongWait(state.failure) || outOfPatience(state, state.failure.type) ? nextRoute(state, deps) : undefined),
};

/** Nothing helped on this route, whatever patience it had left: the chain is tried before the turn is given up. */
export const fallbackAtLast: Recovery = { name: 'fallback', cures: fallback.cures, apply: nextRoute };

/** Another host knows nothing of what this one refused: it is asked plainly, with what was learnt about it before. */
async function nextRoute(state: TurnInPhase<'recover'>, deps: TurnDeps): Promise<RecoveryAction | undefined> {
  const runtime = await deps.routes.fallback(state.runtime, state.spent['fallback'] ?? 0);
  return runtime && applyRouteFacts(runtime, deps);
}

function outOfPatience(state: TurnState, type: FailureType): boolean {
  const patience = PATIENCE[type];
  return patience === undefined || (state.spent[patience.of] ?? 0) >= patience.uses;
}
