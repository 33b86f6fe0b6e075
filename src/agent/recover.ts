import type { NewEntry } from '../contracts/entry.ts';
import type { Outcome } from '../contracts/event.ts';
import type { TurnInPhase } from '../contracts/turn.ts';
import { resetCallCounters, BOUNDS, type BoundName } from './bounds.ts';
import type { PhaseResult, FailedRecovery, RecoveryAction, PhaseStep, TurnDeps } from './deps.ts';
import { createPartialReplyEntry, extractPartialReply, leave } from './leave.ts';
import { holdTurn } from './outage.ts';
import { toTurnBase, toSample, toSettle, spend } from './state.ts';
import { EMPTY_ANSWER, createFailedOutcome, describeStopReason } from './words.ts';

/** Tries the recoveries in the order they are listed; the first that cures wins. */
export async function* recover(state: TurnInPhase<'recover'>, deps: TurnDeps): PhaseStep {
  const closed: FailedRecovery[] = [];
  for (const recovery of deps.recoveries) {
    if (!recovery.cures.includes(state.failure.type) || (state.spent[recovery.name] ?? 0) >= limitOf(recovery.name, deps)) continue;
    const cure = await recovery.apply(state, deps);
    if (cure === undefined) continue;
    if ('closed' in cure) {
      yield* cure.tells ?? [];
      closed.push(cure);
      continue;
    }
    yield {
      type: 'recovering',
      strategy: recovery.name,
      failure: state.failure,
      ...(cure.waitMs !== undefined && { waitMs: cure.waitMs }),
    };
    yield* cure.tells ?? [];
    if (cure.runtime !== undefined) yield { type: 'runtime_changed', from: state.runtime, to: cure.runtime };
    if (cure.waitMs !== undefined) await deps.clock.sleep(cure.waitMs, deps.signal);
    // Told to stop meanwhile: the next call would only find out what was said before it.
    if (deps.signal.aborted && extractPartialReply(state.failure) !== '') return withKept(leave(state, deps), closed);
    return withKept(again(state, recovery.name, cure), [...closed, cure]);
  }
  // A way out that a stop closed is no failure of the model's.
  const end = deps.signal.aborted
    ? leave(state, deps)
    : ((extractPartialReply(state.failure) === '' ? holdTurn(state, deps) : undefined) ?? giveUp(state, closed.at(-1)?.closed));
  return withKept(end, closed);
}

/** What recoveries leave in the log and the ledger becomes durable with where the turn goes next. */
function withKept(advance: PhaseResult, kept: readonly Pick<RecoveryAction, 'append' | 'calls'>[]): PhaseResult {
  const append = [...kept.flatMap((each) => each.append ?? []), ...(advance.append ?? [])];
  const calls = kept.flatMap((each) => each.calls ?? []);
  return { ...advance, ...(append.length > 0 && { append }), ...(calls.length > 0 && { calls }) };
}

const limitOf = (name: BoundName, deps: TurnDeps): number =>
  name === 'wait' ? deps.settings['agent.api_max_retries'] : BOUNDS[name].limit;

function again(state: TurnInPhase<'recover'>, name: BoundName, cure: RecoveryAction): PhaseResult {
  const change: readonly NewEntry[] =
    cure.runtime === undefined
      ? []
      : [
          {
            type: 'model_change',
            origin: 'system',
            from: state.runtime,
            to: cure.runtime,
            cause: `${state.failure.type}: ${state.failure.detail}`,
          },
        ];
  const next = {
    ...toTurnBase(state),
    // Another route has used up nobody's patience yet; the bound on fallbacks keeps this finite.
    spent: spend(name === 'fallback' ? resetCallCounters(state.spent) : state.spent, name),
    runtime: cure.runtime ?? { ...state.runtime, limits: cure.limits ?? state.runtime.limits },
    adjust: cure.adjust ?? state.adjust,
  };
  return { state: toSample(next, state.closing), ...(change.length > 0 && { append: change }) };
}

/** Nothing is left to try. What the model did say is kept and handed over. */
function giveUp(state: TurnInPhase<'recover'>, closed: string | undefined): PhaseResult {
  const words = extractPartialReply(state.failure);
  const broken = words === '' ? [] : [{ id: `${state.turnId}.broken`, text: words }];
  const parts = [...state.parts, ...broken];
  const said = parts.map((part) => part.text).join('');
  const ids = parts.map((part) => part.id);
  return {
    state: toSettle(state, verdict(state, said, closed), ids),
    ...(broken.length > 0 && { append: broken.map(createPartialReplyEntry) }),
  };
}

function verdict({ failure, closing }: TurnInPhase<'recover'>, said: string, closed: string | undefined): Outcome {
  const words = said === '' ? 'ours' : 'model';
  if (closing !== undefined) return { type: 'stopped', exitReason: closing, text: said || describeStopReason(closing), words };
  if (failure.type === 'truncated')
    return { type: 'partial', exitReason: 'truncated', text: said || `The model's reply was cut off: ${failure.detail}.`, words };
  if (failure.type === 'empty' || failure.type === 'thinking_only')
    return { type: 'partial', exitReason: 'empty', text: said || EMPTY_ANSWER, words };
  // The words are all that is told of a refusal: told as an answer that broke off, it would read as one.
  const isRefusal = failure.type === 'content_blocked' && said === failure.detail;
  return said === '' || isRefusal ? createFailedOutcome(failure, closed) : { type: 'partial', exitReason: 'cut_off', text: said, words };
}
