import type { Failure } from '../contracts/failure.ts';
import { createTextBlock, type AssistantMessage } from '../contracts/message.ts';
import type { ModelEvent, ReportedUsage } from '../contracts/provider.ts';
import type { TurnInPhase } from '../contracts/turn.ts';
import { enterCall, judgeCall } from './budget.ts';
import { withOwnIds } from './call-ids.ts';
import { closeTurn, enterClosing } from './closing.ts';
import { compactFirst } from './compact-first.ts';
import type { PhaseResult, PhaseStep, TurnDeps } from './deps.ts';
import { followReply } from './follow.ts';
import { leave } from './leave.ts';
import { openCall, type OpenCall } from './ledger.ts';
import { judgeReply } from './reply.ts';
import { collectRecalled, withoutRecall } from './strip-recall.ts';
import { findCurrentEpoch } from './request.ts';
import { settleWithEarlierAnswer, findEarlierAnswer } from './earlier-answer.ts';
import { toTurnBase, toSettle } from './state.ts';

type DoneEvent = Extract<ModelEvent, { type: 'done' }>;

/** Asks the model once. */
export async function* sample(state: TurnInPhase<'sample'>, deps: TurnDeps): PhaseStep {
  const planned = openCall(state, deps);
  // Limits first: a summary costs about what the call would, and there must be enough for it.
  const verdict = await judgeCall(state, planned, deps);
  if ('limit' in verdict) return enterClosing(state, verdict.limit, deps);
  if ('stop' in verdict) return { state: toSettle(state, verdict.stop) };
  if (state.closing === undefined) {
    const smaller = yield* compactFirst(state, planned.estimate, deps);
    if (smaller !== undefined) return smaller;
  }
  const call = withOutput(planned, verdict.maxOutput, state, deps);
  let shown = '';
  const context = {
    signal: deps.signal,
    estimate: call.estimate,
    ...(verdict.prompt !== undefined && { uncountedPrompt: verdict.prompt }),
  };
  await enterCall(call, state, verdict, deps);
  // After the request has gone out: a model thinks longer than this takes.
  setImmediate(() => deps.toolkit.expectCalls?.());
  const heard = deps.provider.stream(call.encoded, context);
  const recalled = collectRecalled(deps.journal.entries);
  for await (const event of recalled.size > 0 ? withoutRecall(heard, recalled) : heard) {
    // Only our own stop is no failure: a provider that cancels by itself would otherwise be asked for ever.
    if (event.type === 'failed' && event.failure.type === 'cancelled' && deps.signal.aborted)
      return { ...leave(state, deps, shown), calls: [call.close(deps.clock.now(), event.failure.type, event)] };
    if (event.type === 'done') return yield* endSample(state, event, call, deps);
    if (event.type === 'failed') return failing(state, withShown(event.failure, shown), call, deps, event);
    if (event.type === 'call_start') {
      deps.toolkit.expectCalls?.([event.name]);
      continue;
    }
    call.heard(deps.clock.now());
    yield event;
    if (event.type === 'text_delta') shown += event.delta;
  }
  return failing(state, withShown({ type: 'network', detail: 'the stream ended without a result' }, shown), call, deps);
}

/** What a budget leaves for the answer goes on the wire: a bound nobody keeps is none. */
function withOutput(planned: OpenCall, maxOutput: number | undefined, state: TurnInPhase<'sample'>, deps: TurnDeps): OpenCall {
  const asked = planned.encoded.request.adjust.maxOutput;
  return maxOutput === undefined || maxOutput === asked ? planned : openCall({ ...state, adjust: { ...state.adjust, maxOutput } }, deps);
}

async function* endSample(state: TurnInPhase<'sample'>, event: DoneEvent, call: OpenCall, deps: TurnDeps): PhaseStep {
  const { finish, type: _, usageEstimated: __, ...heard } = event;
  const message = withOwnIds(event.message, deps.journal.log);
  const record = call.close(deps.clock.now(), finish, event);
  yield { type: 'sampled', ...heard, message, callId: record.id };
  const advance = state.closing === undefined ? acceptAnswer(state, message, finish, deps) : closeTurn(state, state.closing, message);
  return { ...advance, calls: [record] };
}

function acceptAnswer(state: TurnInPhase<'sample'>, message: AssistantMessage, finish: DoneEvent['finish'], deps: TurnDeps): PhaseResult {
  const reply = judgeReply(message, finish, state, findCurrentEpoch(deps.journal.entries)?.tools);
  const said = reply.type === 'unusable' && reply.failure.type === 'empty' ? findEarlierAnswer(deps) : undefined;
  return said === undefined ? followReply(state, reply, message) : settleWithEarlierAnswer(state, said);
}

function failing(state: TurnInPhase<'sample'>, failure: Failure, call: OpenCall, deps: TurnDeps, reported?: ReportedUsage): PhaseResult {
  const record = call.close(deps.clock.now(), failure.type, reported);
  const fragment = fragmentOf(failure);
  if (fragment !== undefined) {
    const advance =
      state.closing === undefined ? followReply(state, { type: 'fragment', failure }, fragment) : closeTurn(state, state.closing, fragment);
    return { ...advance, calls: [record] };
  }
  return { state: { ...toTurnBase(state), phase: 'recover', failure, ...(state.closing && { closing: state.closing }) }, calls: [record] };
}

/** Words that a provider reports as cut off rather than as a short answer: what is continued from must be in the log. */
function fragmentOf(failure: Failure): AssistantMessage | undefined {
  if (failure.type !== 'truncated' || failure.calls || failure.partial.text.trim() === '') return undefined;
  return { role: 'assistant', content: [createTextBlock(failure.partial.text, 'model')] };
}

/** Trouble in the middle of an answer takes along the words somebody has read by then, whatever the provider calls it. */
function withShown(failure: Failure, shown: string): Failure {
  switch (failure.type) {
    case 'content_blocked':
    case 'rate_limited':
    case 'upstream_limited':
    case 'overloaded':
    case 'server_error':
    case 'network':
    case 'tls':
    case 'malformed':
    case 'timeout':
      return failure.partial === undefined && shown !== '' ? { ...failure, partial: { text: shown } } : failure;
    default:
      return failure;
  }
}
