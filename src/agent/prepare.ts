import type { TurnInPhase } from '../contracts/turn.ts';
import type { PhaseStep, TurnDeps } from './deps.ts';
import { applyRouteFacts } from './route.ts';
import { toTurnBase, toSample } from './state.ts';

/** Before the first call of a turn: what earlier runs learnt about this route is taken into account. */
// oxlint-disable-next-line require-yield -- a phase like the others, with nothing to tell
export async function* prepare(state: TurnInPhase<'prepare'>, deps: TurnDeps): PhaseStep {
  return { state: toSample({ ...toTurnBase(state), ...(await applyRouteFacts(state.runtime, deps)) }), repeatable: true };
}
