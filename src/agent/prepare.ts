import type { Step, TurnDeps } from './deps.ts';
import type { In } from '../contracts/turn.ts';
import { base, sampling } from './state.ts';

/** Before the first call of a turn: what earlier runs learnt about this route is taken into account. */
// oxlint-disable-next-line require-yield -- a phase like the others, with nothing to tell
export async function* prepare(state: In<'prepare'>, deps: TurnDeps): Step {
  const facts = await deps.routes.learnt(state.runtime);
  const adjust = {
    ...state.adjust,
    ...(facts.stream === false && { stream: false }),
    ...(facts.without !== undefined && { without: facts.without }),
  };
  const runtime =
    facts.window === undefined ? state.runtime : { ...state.runtime, limits: { ...state.runtime.limits, window: facts.window } };
  return { state: sampling({ ...base(state), adjust, runtime }), repeatable: true };
}
