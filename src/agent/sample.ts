import type { NewEntry } from '../contracts/entry.ts';
import type { ClosingReason } from '../contracts/event.ts';
import type { Failure } from '../contracts/failure.ts';
import { text, toolCalls, visibleText, type AssistantMessage, type Usage } from '../contracts/message.ts';
import type { ModelEvent } from '../contracts/provider.ts';
import type { In } from '../contracts/turn.ts';
import { afterSuccess } from './bounds.ts';
import { reachedLimit } from './budget.ts';
import { withOwnIds } from './call-ids.ts';
import type { Advance, Step, TurnDeps } from './deps.ts';
import { openCall, type OpenCall } from './ledger.ts';
import { nudge } from './nudge.ts';
import { alreadyAnswered, saidBefore } from './said-before.ts';
import { judge, type Reply } from './reply.ts';
import { base, sampling, settling, spend } from './state.ts';
import { NUDGES } from './words.ts';

type Ended = Extract<ModelEvent, { type: 'done' } | { type: 'failed' }>;

/** Asks the model once. */
export async function* sample(state: In<'sample'>, deps: TurnDeps): Step {
  const call = openCall(state, deps);
  const limit = state.closing === undefined ? await reachedLimit(state, call, deps) : undefined;
  if (limit !== undefined) return closing(state, limit, deps, await wentOut(state, deps));
  for await (const event of deps.provider.stream(call.encoded, { signal: deps.signal, estimate: call.estimate })) {
    if (event.type === 'done' || event.type === 'failed') return yield* ended(state, event, call, deps);
    call.heard(deps.clock.now());
    yield event;
  }
  return failing(state, { type: 'network', detail: 'the stream ended without a result' }, call, deps);
}

/** A limit was reached before the call: one last call follows, with the tool table kept and tools forbidden. */
function closing(state: In<'sample'>, reason: ClosingReason, deps: TurnDeps, sent: boolean): Advance {
  const next = { ...base(state), spent: spend(state.spent, 'closing') };
  return { state: sampling(next, reason), append: nudge(deps.journal.entries, NUDGES.closing[reason], sent) };
}

/** Whether the log as it stands was in a request already, so that nothing may join its last message. */
async function wentOut({ sessionId, startedAt }: In<'sample'>, { journal }: TurnDeps): Promise<boolean> {
  const last = (await journal.store.calls({ sessionId, since: startedAt })).at(-1);
  return last !== undefined && last.throughSeq >= (journal.entries.at(-1)?.seq ?? 0);
}

async function* ended(state: In<'sample'>, event: Ended, call: OpenCall, deps: TurnDeps): Step {
  if (event.type === 'failed') return failing(state, event.failure, call, deps, event.usage);
  const message = state.closing === undefined ? withOwnIds(event.message, deps.journal.entries) : withoutCalls(event.message);
  const record = call.close(deps.clock.now(), event.finish, event.usage);
  yield { type: 'sampled', message, usage: event.usage, callId: record.id };
  const reply = judge(message, event.finish, state);
  const said = reply.type === 'unusable' && reply.failure.type === 'empty' ? saidBefore(deps) : undefined;
  const { state: next, append } = said === undefined ? follow(state, reply, message) : alreadyAnswered(state, said);
  return { state: next, calls: [record], ...(append !== undefined && { append }) };
}

/** Where a reply leads. The message is stored under an id of its own, so that the outcome can name it. */
function follow(state: In<'sample'>, reply: Reply, message: AssistantMessage): Advance {
  const id = `${state.turnId}.${state.steps + 1}`;
  const entry: NewEntry = { type: 'message', id, origin: 'model', message };
  const asked = { ...base(state), steps: state.steps + 1 };
  const heard = { ...asked, spent: afterSuccess(state.spent) };
  const { closing: reason } = state;
  switch (reply.type) {
    case 'answer': {
      // A report that closes the turn does not go on with the sentence that was cut off.
      const words = [
        ...state.parts.map((part) => part.text),
        ...(reason !== undefined && state.parts.length > 0 ? ['\n\n'] : []),
        visibleText(message),
      ].join('');
      const outcome =
        reason === undefined
          ? ({ type: 'answered', exitReason: 'answered', text: words } as const)
          : ({ type: 'stopped', exitReason: reason, text: words, words: 'model' } as const);
      return { state: settling({ ...heard, phase: 'prepare' }, outcome, [...state.parts.map((part) => part.id), id]), append: [entry] };
    }
    case 'calls':
      return {
        state: { ...heard, parts: [], phase: 'act', calls: toolCalls(message).map((call) => ({ status: 'planned', call })) },
        append: [entry],
      };
    case 'fragment':
      return {
        state: {
          ...asked,
          parts: [...state.parts, { id, text: visibleText(message) }],
          phase: 'recover',
          failure: reply.failure,
          ...(reason && { closing: reason }),
        },
        append: [entry],
      };
    case 'unusable':
      return {
        state: { ...asked, phase: 'recover', failure: reply.failure, ...(reason && { closing: reason }) },
        ...(reply.keep && { append: [entry] }),
      };
  }
}

function failing(state: In<'sample'>, failure: Failure, call: OpenCall, deps: TurnDeps, usage?: Usage): Advance {
  const record = call.close(deps.clock.now(), failure.type, usage);
  // Only our own stop is no failure: a provider that cancels by itself would otherwise be asked for ever.
  if (failure.type === 'cancelled' && deps.signal.aborted) return { state: sampling(base(state), state.closing), calls: [record] };
  const fragment = fragmentOf(failure);
  if (fragment !== undefined) return { ...follow(state, { type: 'fragment', failure }, fragment), calls: [record] };
  return { state: { ...base(state), phase: 'recover', failure, ...(state.closing && { closing: state.closing }) }, calls: [record] };
}

/** Words that a provider reports as cut off rather than as a short answer: what is continued from must be in the log. */
function fragmentOf(failure: Failure): AssistantMessage | undefined {
  if (failure.type !== 'truncated' || failure.calls || failure.partial.text.trim() === '') return undefined;
  return { role: 'assistant', content: [text(failure.partial.text, 'model')] };
}

/** A closing call that asks for tools all the same gets none: its words are what counts. */
const withoutCalls = (message: AssistantMessage): AssistantMessage => ({
  ...message,
  content: message.content.filter((block) => block.type !== 'tool_call'),
});
