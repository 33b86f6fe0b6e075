import type { AgentEvent, Outcome } from '../contracts/event.ts';
import { isStoreError } from '../contracts/session-store.ts';
import { SUSPENDED, type TurnInPhase, type TurnState } from '../contracts/turn.ts';
import { act, createBreakdownResults } from './act.ts';
import { releaseBudget } from './budget-left.ts';
import type { PhaseResult, PhaseStep, TurnDeps } from './deps.ts';
import { leave } from './leave.ts';
import { tellUsage } from './observe.ts';
import { createHeldOutcome } from './outage.ts';
import { prepare } from './prepare.ts';
import { recover } from './recover.ts';
import { sample } from './sample.ts';
import { settle } from './settle.ts';
import { toSettle } from './state.ts';
import { createInternalErrorOutcome, createStoppedOutcome, createStoreFailedOutcome } from './words.ts';

/**
 * Runs one turn to its outcome. What a phase did and where the turn goes next are committed together, so a kill at any
 * point resumes at the phase it interrupted. The only way out is a `done` state, or a store that takes no more writes.
 */
export async function* runTurn(start: TurnState, deps: TurnDeps): AsyncGenerator<AgentEvent, Outcome> {
  let state = start;
  try {
    while (state.phase !== 'done') {
      const advance = yield* phase(state, deps);
      // Nothing of an interrupted phase is kept but what it cost: it is run again.
      if (isSuspended(deps) && state.phase !== 'settle') {
        if (advance.calls !== undefined) await deps.journal.commit({ turnId: state.turnId, calls: advance.calls });
        return createStoppedOutcome(deps.signal);
      }
      yield* save(advance, deps);
      if (advance.held !== undefined) return createHeldOutcome(advance.held);
      state = advance.state;
    }
  } catch (error) {
    if (!isStoreError(error)) throw error;
    state = { ...state, phase: 'done', outcome: createStoreFailedOutcome(error) };
  } finally {
    releaseBudget(start.sessionId, deps);
  }
  yield { type: 'settled', outcome: state.outcome };
  return state.outcome;
}

/** One phase; a defect inside it ends the turn with words instead of taking the process down. */
async function* phase(state: Exclude<TurnState, TurnInPhase<'done'>>, deps: TurnDeps): PhaseStep {
  try {
    return stopAsked(state, deps) ? leave(state, deps) : yield* run(state, deps);
  } catch (error) {
    if (isStoreError(error) || state.phase === 'settle') throw error;
    return {
      state: toSettle(state, createInternalErrorOutcome(error)),
      ...(state.phase === 'act' && { append: createBreakdownResults(state) }),
    };
  }
}

function run(state: Exclude<TurnState, TurnInPhase<'done'>>, deps: TurnDeps): PhaseStep {
  switch (state.phase) {
    case 'prepare':
      return prepare(state, deps);
    case 'sample':
      return sample(state, deps);
    case 'recover':
      return recover(state, deps);
    case 'act':
      return act(state, deps);
    case 'settle':
      return settle(state, deps);
  }
}

/** `act` ends its own calls so that each has a result, and `settle` is the end already. */
const stopAsked = (state: TurnState, deps: TurnDeps): boolean => deps.signal.aborted && state.phase !== 'act' && state.phase !== 'settle';

const isSuspended = ({ signal }: TurnDeps): boolean => signal.aborted && signal.reason === SUSPENDED;

async function* save(
  { state, append, calls, fates, deliveries, notices, repeatable }: PhaseResult,
  deps: TurnDeps,
): AsyncGenerator<AgentEvent, void> {
  if (repeatable === true && append === undefined) return;
  const entries = await deps.journal.commit({
    turnId: state.turnId,
    turn: state.phase === 'done' ? null : state,
    ...(append !== undefined && { append }),
    ...(calls !== undefined && { calls }),
    ...(fates !== undefined && { fates }),
    ...(deliveries !== undefined && { deliveries }),
    ...(state.phase === 'done' && { exitReason: state.outcome.exitReason }),
    // No call begins, and no answer goes out, before the commit that says so.
    ...((state.phase === 'act' || state.phase === 'settle') && { continues: true }),
  });
  tellUsage(calls ?? [], deps.context);
  for (const entry of entries) yield { type: 'entry', entry };
  for (const { id, fate } of fates ?? []) yield { type: 'inbox', itemId: id, fate };
  for (const text of notices ?? []) yield { type: 'notice', text };
}
