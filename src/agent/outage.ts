import type { Failure, FailureType } from '../contracts/failure.ts';
import type { Outcome } from '../contracts/outcome.ts';
import type { TurnInPhase } from '../contracts/turn.ts';
import { resetCallCounters } from './bounds.ts';
import type { PhaseResult, TurnDeps } from './deps.ts';
import { toSample, toTurnBase } from './state.ts';
import { createFailedOutcome } from './words.ts';

/** Failures that end by themselves: the same request is fine as soon as the provider is back. */
const OUTAGES: ReadonlySet<FailureType> = new Set(['overloaded', 'server_error', 'network', 'timeout', 'rate_limited', 'upstream_limited']);
/** An answer that comes later than this is of no use. */
const MAX_HELD_MS = 86_400_000;

/** A turn that failed only because its provider is down stays open where it is, for a face that tries again later. */
export function holdTurn(state: TurnInPhase<'recover'>, deps: TurnDeps): PhaseResult | undefined {
  const { failure, closing } = state;
  if (deps.holdsOutages !== true || !OUTAGES.has(failure.type)) return undefined;
  if (deps.clock.now() - state.startedAt > MAX_HELD_MS) return undefined;
  const next = toSample({ ...toTurnBase(state), spent: resetCallCounters(state.spent) }, closing);
  return { state: { ...next, held: true }, held: failure };
}

/** How such a turn is told to its face; it is not settled. */
export const createHeldOutcome = (failure: Failure): Outcome => {
  const { text } = createFailedOutcome(failure);
  return { type: 'failed', exitReason: failure.type, text, failure, isHeld: true };
};
