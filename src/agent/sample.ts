import type { Failure } from '../contracts/failure.ts';
import { NO_USAGE, text, type AssistantMessage, type Usage } from '../contracts/message.ts';
import type { ModelEvent } from '../contracts/provider.ts';
import type { InPhase } from '../contracts/turn.ts';
import { judgeCall } from './budget.ts';
import { withOwnIds } from './call-ids.ts';
import { closeTurn, enterClosing } from './closing.ts';
import { compactFirst } from './compact-first.ts';
import type { Advance, PhaseStep, TurnDeps } from './deps.ts';
import { follow } from './follow.ts';
import { openCall, type OpenCall } from './ledger.ts';
import { watchRepetition, type RepetitionWatch } from './repetition.ts';
import { judge } from './reply.ts';
import { alreadyAnswered, saidBefore } from './said-before.ts';
import { turnBase, toSample, toSettle } from './state.ts';

type FinalEvent = Extract<ModelEvent, { type: 'done' } | { type: 'failed' }>;

/** Asks the model once. */
export async function* sample(state: InPhase<'sample'>, deps: TurnDeps): PhaseStep {
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
  const [words, thoughts] = [watchRepetition(), watchRepetition()];
  for await (const event of deps.provider.stream(call.encoded, { signal: deps.signal, estimate: call.estimate })) {
    if (event.type === 'done' || event.type === 'failed') return yield* endSample(state, event, call, deps);
    call.heard(deps.clock.now());
    yield event;
    const endless =
      (event.type === 'text_delta' && words.add(event.delta)) || (event.type === 'thinking_delta' && thoughts.add(event.delta));
    if (endless) return failing(state, repeating(words.text()), call, deps, unfinished(call, words, thoughts));
  }
  return failing(state, { type: 'network', detail: 'the stream ended without a result' }, call, deps);
}

/** What a budget leaves for the answer goes on the wire: a bound nobody keeps is none. */
function withOutput(planned: OpenCall, maxOutput: number | undefined, state: InPhase<'sample'>, deps: TurnDeps): OpenCall {
  const asked = planned.encoded.request.adjust.maxOutput;
  return maxOutput === undefined || maxOutput === asked ? planned : openCall({ ...state, adjust: { ...state.adjust, maxOutput } }, deps);
}

async function* endSample(state: InPhase<'sample'>, event: FinalEvent, call: OpenCall, deps: TurnDeps): PhaseStep {
  if (event.type === 'failed') return failing(state, event.failure, call, deps, event.usage);
  const message = withOwnIds(event.message, deps.journal.log);
  const record = call.close(deps.clock.now(), event.finish, event.usage);
  yield { type: 'sampled', message, usage: event.usage, callId: record.id };
  const advance = state.closing === undefined ? acceptAnswer(state, message, event.finish, deps) : closeTurn(state, state.closing, message);
  return { ...advance, calls: [record] };
}

function acceptAnswer(
  state: InPhase<'sample'>,
  message: AssistantMessage,
  finish: Extract<FinalEvent, { type: 'done' }>['finish'],
  deps: TurnDeps,
): Advance {
  const reply = judge(
    message,
    finish,
    state,
    deps.toolkit.definitions.map(({ name }) => name),
  );
  const said = reply.type === 'unusable' && reply.failure.type === 'empty' ? saidBefore(deps) : undefined;
  return said === undefined ? follow(state, reply, message) : alreadyAnswered(state, said);
}

function failing(state: InPhase<'sample'>, failure: Failure, call: OpenCall, deps: TurnDeps, usage?: Usage): Advance {
  const record = call.close(deps.clock.now(), failure.type, usage);
  // Only our own stop is no failure: a provider that cancels by itself would otherwise be asked for ever.
  if (failure.type === 'cancelled' && deps.signal.aborted) return { state: toSample(turnBase(state), state.closing), calls: [record] };
  const fragment = fragmentOf(failure);
  if (fragment !== undefined) {
    const advance =
      state.closing === undefined ? follow(state, { type: 'fragment', failure }, fragment) : closeTurn(state, state.closing, fragment);
    return { ...advance, calls: [record] };
  }
  return { state: { ...turnBase(state), phase: 'recover', failure, ...(state.closing && { closing: state.closing }) }, calls: [record] };
}

const repeating = (said: string): Failure => ({
  type: 'repetition',
  detail: 'the reply repeated one piece of text over and over and was cut off',
  partial: { text: said },
});

/** What a call that we cut off has cost is never told: about this much. */
const unfinished = ({ estimate }: OpenCall, ...texts: readonly RepetitionWatch[]): Usage => ({
  ...NO_USAGE,
  input: estimate,
  output: Math.ceil(texts.reduce((sum, { length }) => sum + length, 0) / 4),
});

/** Words that a provider reports as cut off rather than as a short answer: what is continued from must be in the log. */
function fragmentOf(failure: Failure): AssistantMessage | undefined {
  if (failure.type !== 'truncated' || failure.calls || failure.partial.text.trim() === '') return undefined;
  return { role: 'assistant', content: [text(failure.partial.text, 'model')] };
}
