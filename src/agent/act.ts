import { stableJson } from '../base/json.ts';
import { merge } from '../base/merge.ts';
import { mailbox } from '../base/mailbox.ts';
import type { NewEntry } from '../contracts/entry.ts';
import type { AgentEvent } from '../contracts/event.ts';
import { text, type ToolCall, type ToolMessage } from '../contracts/message.ts';
import type { CallResult, ResolvedCall } from '../contracts/tool.ts';
import type { CallCell, In } from '../contracts/turn.ts';
import type { Step, TurnDeps } from './deps.ts';
import { reportResults, resultEntry } from './report.ts';
import { schedule } from './schedule.ts';
import { taintOf } from './taint.ts';
import { RESULTS } from './words.ts';

type Runnable = Extract<ResolvedCall, { ok: true }>;

/** Runs the calls of one reply, side by side where their effects allow it, and hands over their results in the order they were asked. */
export async function* act(state: In<'act'>, deps: TurnDeps): Step {
  const desk = callDesk(state, deps);
  const taint = taintOf(deps.context.view(deps.journal.entries));
  for (const group of schedule(desk.runnable(), deps.settings['agent.parallel_tools'])) {
    if (deps.signal.aborted) break;
    await desk.running(group.map(({ call }) => call.id));
    yield* merge(group.map((resolved) => runCall(resolved, { state, taint }, deps, desk)));
  }
  desk.abandonPlanned();
  const { sessionId, turnId } = state;
  const calls = deps.side?.take({ sessionId, turnId, throughSeq: deps.journal.entries.at(-1)?.seq ?? 0 }) ?? [];
  return { ...(await reportResults(state, desk.results(), deps)), ...(calls.length > 0 && { calls }) };
}

interface Acting {
  readonly state: In<'act'>;
  readonly taint: readonly string[];
}

/** One call from `running` to `finished`; what it reports on the way goes out as it comes. */
async function* runCall(resolved: Runnable, { state, taint }: Acting, deps: TurnDeps, desk: CallDesk): AsyncGenerator<AgentEvent, void> {
  const { call } = resolved;
  yield { type: 'tool_started', call };
  const startedAt = deps.clock.now();
  const notes = mailbox<AgentEvent>();
  const { sessionId, turnId } = state;
  const run = {
    signal: deps.signal,
    sessionId,
    turnId,
    taint,
    report: (note: string, childId?: string) =>
      notes.push({ type: 'tool_progress', callId: call.id, note, ...(childId !== undefined && { childId }) }),
    notice: (words: string) => notes.push({ type: 'notice', text: words }),
  };
  const running = Promise.try(() => deps.toolkit.execute(resolved, run))
    .catch((error: unknown): CallResult => ({ message: failure(call, RESULTS.broke(error)) }))
    .finally(() => notes.close());
  for await (const note of notes) yield note;
  const { message: result, ...more } = await running;
  await desk.finished({ message: result, ...more });
  yield { type: 'tool_finished', callId: call.id, result, ...more, ms: deps.clock.now() - startedAt };
}

type CallDesk = ReturnType<typeof callDesk>;

/** The cells of one `act`: every change is durable before the world can notice it. */
function callDesk(state: In<'act'>, deps: TurnDeps) {
  const resolved = new Map(state.calls.map(({ call }) => [call.id, resolve(call, deps)]));
  let cells = answeredOnce(state.calls).map((cell) => afterCrash(cell, resolved.get(cell.call.id)));
  const save = () => deps.journal.commit({ turnId: state.turnId, turn: { ...state, calls: cells } });
  // After a crash such a call simply runs again, whatever its cell says: it need not be durable.
  const repeatable = (id: string): boolean => {
    const found = resolved.get(id);
    return found?.ok === true && found.tool.replay === 'safe';
  };
  const finish = ({ message: result, ...more }: CallResult): CallCell[] =>
    cells.map((cell) => (cell.call.id === result.callId ? { status: 'finished', call: cell.call, result, ...more } : cell));
  return {
    runnable: (): Runnable[] =>
      cells.flatMap((cell) => {
        const found = resolved.get(cell.call.id);
        return cell.status === 'planned' && found?.ok === true ? [found] : [];
      }),
    running: async (ids: readonly string[]) => {
      cells = cells.map((cell) => (cell.status === 'planned' && ids.includes(cell.call.id) ? { ...cell, status: 'running' } : cell));
      if (!ids.every(repeatable)) await save();
    },
    finished: async (result: CallResult) => {
      cells = finish(result);
      // The last result is committed by the phase itself, together with where the turn goes next.
      if (!repeatable(result.message.callId) && cells.some((cell) => cell.status !== 'finished')) await save();
    },
    /** What cannot be resolved, and what an interrupt kept from starting, has its result without running. */
    abandonPlanned: () => {
      cells = cells.map((cell) =>
        cell.status === 'finished' ? cell : { status: 'finished', call: cell.call, result: notRun(cell.call, resolved.get(cell.call.id)) },
      );
    },
    results: () => cells.flatMap((cell) => (cell.status === 'finished' ? [{ ...cell, resolved: resolved.get(cell.call.id) }] : [])),
  };
}

/** Tools are other people's code: one that fails while its call is only looked at is answered, and the turn goes on. */
function resolve(call: ToolCall, deps: TurnDeps): ResolvedCall {
  try {
    return deps.toolkit.resolve(call);
  } catch (error) {
    return { ok: false, call, problem: 'invalid_input', words: RESULTS.unresolved(error) };
  }
}

/** The results of an `act` that broke down: a call without one would make every later request of the session invalid. */
export const brokenDown = ({ calls }: In<'act'>): NewEntry[] =>
  calls.map((cell) => {
    return cell.status === 'finished' ? resultEntry(cell.result, cell.details) : resultEntry(failure(cell.call, RESULTS.unknownOutcome));
  });

/** Of calls that ask for the very same thing in one reply the first runs; the others are told so. */
function answeredOnce(cells: readonly CallCell[]): CallCell[] {
  const first = new Map<string, string>();
  return cells.map((cell) => {
    const key = `${cell.call.name} ${cell.call.malformed ?? stableJson(cell.call.input)}`;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, cell.call.id);
    if (earlier === undefined || cell.status === 'finished') return cell;
    return { status: 'finished', call: cell.call, result: { ...failure(cell.call, RESULTS.sameAs(earlier)), failed: false } };
  });
}

/** A call that was running when the process died: repeated if that is safe, otherwise its outcome is unknown. */
function afterCrash(cell: CallCell, resolved: ResolvedCall | undefined): CallCell {
  if (cell.status !== 'running') return cell;
  if (resolved?.ok === true && resolved.tool.replay === 'safe') return { status: 'planned', call: cell.call };
  return { status: 'finished', call: cell.call, result: failure(cell.call, RESULTS.unknownOutcome) };
}

const notRun = (call: ToolCall, resolved: ResolvedCall | undefined): ToolMessage =>
  failure(call, resolved?.ok === false ? resolved.words : RESULTS.notRun);

const failure = (call: ToolCall, words: string): ToolMessage => ({
  role: 'tool',
  callId: call.id,
  name: call.name,
  content: [text(words, 'tool')],
  failed: true,
});
