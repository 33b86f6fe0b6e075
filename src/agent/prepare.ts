import type { InPhase } from '../contracts/turn.ts';
import type { PhaseStep, TurnDeps } from './deps.ts';
import { freshRoute } from './route.ts';
import { turnBase, toSample } from './state.ts';

/** Before the first call of a turn: what earlier runs learnt about this route is taken into account. */
// oxlint-disable-next-line require-yield -- a phase like the others, with nothing to tell
export async function* prepare(state: InPhase<'prepare'>, deps: TurnDeps): PhaseStep {
  return { state: toSample({ ...turnBase(state), ...(await freshRoute(state.runtime, deps)) }), repeatable: true };
}
