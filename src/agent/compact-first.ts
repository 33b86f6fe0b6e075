import type { AgentEvent } from '../contracts/event.ts';
import type { TurnInPhase } from '../contracts/turn.ts';
import type { CompactionResult } from './attempt.ts';
import { BOUNDS } from './bounds.ts';
import type { PhaseResult, TurnDeps } from './deps.ts';
import { findSizePressure, type SizePressure } from './gauge.ts';
import { spend } from './state.ts';

/**
 * Before a call: makes the view smaller first when the request would be too large. Only here, where every call of the
 * model has its result; what comes back is committed whole or not at all. `undefined` when there is nothing to do.
 */
export async function* compactFirst(
  state: TurnInPhase<'sample'>,
  estimate: number,
  deps: TurnDeps,
): AsyncGenerator<AgentEvent, PhaseResult | undefined> {
  if ((state.spent['compact'] ?? 0) >= BOUNDS.compact.limit) return undefined;
  const pressure = await findSizePressure(estimate, state.runtime, deps);
  if (pressure === undefined) return undefined;
  const { ok, append, calls } = yield* makeSmaller(state, pressure, deps);
  if (append.length === 0 && calls.length === 0) return undefined;
  // What was refused rests for a while: the note in the log says so to the next call. What could not even be forced is not tried again.
  const spent = pressure.exceeds && !ok ? { ...state.spent, compact: BOUNDS.compact.limit } : spend(state.spent, 'compact');
  return { state: { ...state, spent }, append, calls };
}

/** By notes; where there are none to be had and the request cannot be answered as it is, by what can be said without a model. */
async function* makeSmaller(
  { runtime, turnId }: TurnInPhase<'sample'>,
  { notes, exceeds }: SizePressure,
  deps: TurnDeps,
): AsyncGenerator<AgentEvent, Pick<CompactionResult, 'ok' | 'append' | 'calls'>> {
  // Most turns have none: what it takes is loaded with the first.
  const { compact } = await import('./compact.ts');
  const written = notes ? yield* compact(deps, runtime, { reason: 'threshold', turnId, ...(exceeds && { isFirstTry: true }) }) : NOTHING;
  if (written.ok || !exceeds || deps.signal.aborted) return written;
  const forced = yield* compact({ ...deps, summarisers: () => [] }, runtime, { reason: 'overflow', turnId });
  return { ok: forced.ok, append: [...written.append, ...forced.append], calls: [...written.calls, ...forced.calls] };
}

const NOTHING = { ok: false, append: [], calls: [] } as const;
