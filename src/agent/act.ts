import { createMailbox, type Mailbox } from '../base/mailbox.ts';
import { merge } from '../base/merge.ts';
import type { NewEntry } from '../contracts/entry.ts';
import type { AgentEvent } from '../contracts/event.ts';
import type { ToolCall } from '../contracts/message.ts';
import { CONSUMER_LEFT } from '../contracts/consent.ts';
import type { CallAdmission, CallResult, PreparedCall, RunnableCall, SessionWords } from '../contracts/tool.ts';
import type { TurnInPhase } from '../contracts/turn.ts';
import { createFailureResult, trackCalls, type CallTracker } from './call-tracker.ts';
import type { PhaseStep, TurnDeps } from './deps.ts';
import { findCurrentEpoch, findMarkKey } from './request.ts';
import { reportResults, createResultEntry } from './report.ts';
import { schedule } from './schedule.ts';
import { collectPromptTaint, collectSessionWords, collectTaint } from './taint.ts';
import { RESULTS } from './words.ts';

/**
 * Runs the calls of one reply, side by side where their effects allow it, and hands over their results in the order they
 * were asked. What must be agreed to is asked before a call counts as running; meanwhile those beside it run.
 */
export async function* act(state: TurnInPhase<'act'>, deps: TurnDeps): PhaseStep {
  await deps.toolkit.open?.(state.calls.map(({ call }) => call.name));
  const { sessionId, turnId } = state;
  const row = { sessionId, turnId, throughSeq: deps.journal.entries.at(-1)?.seq ?? 0 };
  using _ledger = deps.side?.enterInto(row, (call) => deps.journal.commit({ turnId, sent: [call], continues: true }));
  const tracker = trackCalls(state, deps);
  const view = deps.context.view(deps.journal.entries);
  const turn = {
    state,
    taint: [...new Set([...collectTaint(view), ...collectPromptTaint(findCurrentEpoch(deps.journal.entries))])],
    words: collectSessionWords(view),
    markKey: findMarkKey(deps.journal.entries),
  };
  for (const group of schedule(tracker.runnable(), deps.settings['agent.parallel_tools'])) {
    if (deps.signal.aborted) break;
    for (const { call } of group) yield { type: 'tool_started', call };
    const opened = await Promise.all(group.map((resolved) => open(resolved, turn, deps)));
    await tracker.running(opened.flatMap(({ call, admission }) => (admission.type === 'ready' ? [call.id] : [])));
    const left = new AbortController();
    const calls = merge(opened.map((each) => runCall(each, { ...deps, left: left.signal }, tracker)));
    yield* whenLeft(calls, () => left.abort(CONSUMER_LEFT));
  }
  tracker.abandonRest();
  const calls = deps.side?.take(row) ?? [];
  return { ...(await reportResults(state, tracker.results(), deps)), ...(calls.length > 0 && { calls }) };
}

interface ActingTurn {
  readonly state: TurnInPhase<'act'>;
  readonly taint: readonly string[];
  readonly words: SessionWords;
  readonly markKey: string;
}
/** A call that was looked at once. */
interface PreparedToolCall {
  readonly call: ToolCall;
  readonly prepared: PreparedCall;
  readonly admission: CallAdmission;
  readonly notes: Mailbox<AgentEvent>;
}

/** A turn that somebody follows, until they leave. */
type FollowedTurn = TurnDeps & { readonly left: AbortSignal };

/** Tells when the consumer leaves before the end: a question must not wait then, it is asked again when the turn is resumed. */
async function* whenLeft(events: AsyncGenerator<AgentEvent, unknown>, tell: () => void): AsyncGenerator<AgentEvent, void> {
  let over = false;
  try {
    for (let step = await events.next(); step.done !== true; step = await events.next()) yield step.value;
    over = true;
  } finally {
    if (!over) tell();
    await events.return(undefined);
  }
}

async function open(resolved: RunnableCall, { state, taint, words, markKey }: ActingTurn, deps: TurnDeps): Promise<PreparedToolCall> {
  const { call } = resolved;
  const notes = createMailbox<AgentEvent>();
  const run = {
    signal: deps.signal,
    sessionId: state.sessionId,
    turnId: state.turnId,
    taint,
    words,
    markKey,
    report: (note: string, childId?: string) =>
      notes.push({ type: 'tool_progress', callId: call.id, note, ...(childId !== undefined && { childId }) }),
    notice: (text: string) => notes.push({ type: 'notice', text }),
  };
  try {
    const prepared = await deps.toolkit.prepare(resolved, run);
    return { call, prepared, admission: await prepared.admission(), notes };
  } catch (error) {
    return { call, prepared: brokenCall(call, error), admission: { type: 'refused' }, notes };
  }
}

/** One call from `running` to `finished`; what it reports on the way goes out as it comes. */
async function* runCall(opened: PreparedToolCall, deps: FollowedTurn, tracker: CallTracker): AsyncGenerator<AgentEvent, void> {
  const { call, prepared, admission, notes } = opened;
  if (admission.type === 'ask') yield* settleConsent(opened, deps, tracker);
  // The time somebody took to consent is not the tool's.
  const startedAt = deps.clock.now();
  const running = Promise.try(() => prepared.run())
    .catch((error: unknown) => broke(call, error))
    .finally(() => notes.close());
  for await (const note of notes) yield note;
  const { message: result, refused, ...more } = await running;
  const ms = deps.clock.now() - startedAt;
  await tracker.finished({ message: result, ...more, ms, ...(refused === true && { refused }) });
  yield { type: 'tool_finished', callId: call.id, result, ...more, ms };
}

/** Puts what stands against a call to whoever may consent, one question after the other, each durable before anybody hears it. */
async function* settleConsent(
  { call, prepared, admission }: PreparedToolCall,
  { signal, left }: FollowedTurn,
  tracker: CallTracker,
): AsyncGenerator<AgentEvent, void> {
  const stop = AbortSignal.any([signal, left]);
  let next = admission;
  while (next.type === 'ask') {
    const question = tracker.question(call, next.action);
    await tracker.asking(question);
    yield { type: 'asking', question };
    const { allow, by } = await prepared.ask({ ...question.action, callId: call.id, questionId: question.id }, stop);
    yield { type: 'asked', questionId: question.id, callId: call.id, allowed: allow, by };
    next = await prepared.admission();
  }
  if (next.type === 'ready') await tracker.running([call.id]);
}

const broke = (call: ToolCall, error: unknown): CallResult => ({ message: createFailureResult(call, RESULTS.broke(error)) });

/** A toolkit that breaks while it looks at a call has not run it. */
const brokenCall = (call: ToolCall, error: unknown): PreparedCall => ({
  admission: async () => ({ type: 'refused' }),
  ask: async () => ({ allow: false, by: 'policy', reason: RESULTS.notRun }),
  run: async () => broke(call, error),
});

/** The results of an `act` that broke down: a call without one would make every later request of the session invalid. */
export const createBreakdownResults = ({ calls }: TurnInPhase<'act'>): NewEntry[] =>
  calls.map((cell) =>
    cell.status === 'finished'
      ? createResultEntry(cell.result, cell)
      : createResultEntry(createFailureResult(cell.call, RESULTS.unknownOutcome)),
  );
