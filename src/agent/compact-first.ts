import type { AgentEvent } from '../contracts/event.ts';
import type { InPhase } from '../contracts/turn.ts';
import { BOUNDS } from './bounds.ts';
import type { Advance, TurnDeps } from './deps.ts';
import { isTooLarge } from './gauge.ts';
import { spend } from './state.ts';

/**
 * Before a call: makes the view smaller first when the request would be too large. Only here, where every call of the
 * model has its result; what comes back is committed whole or not at all. `undefined` when there is nothing to do.
 */
export async function* compactFirst(
  state: InPhase<'sample'>,
  estimate: number,
  deps: TurnDeps,
): AsyncGenerator<AgentEvent, Advance | undefined> {
  if ((state.spent['compact'] ?? 0) >= BOUNDS.compact.limit) return undefined;
  if (!(await isTooLarge(estimate, state.runtime, deps))) return undefined;
  // Most turns have none: what it takes is loaded with the first.
  const { compact } = await import('./compact.ts');
  const { append, calls } = yield* compact(deps, state.runtime, { reason: 'threshold', turnId: state.turnId });
  if (append.length === 0 && calls.length === 0) return undefined;
  // What was refused rests for a while: the note in the log says so to the next call.
  return { state: { ...state, spent: spend(state.spent, 'compact') }, append, calls };
}
