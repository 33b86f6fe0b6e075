import { randomHex } from '../base/ids.ts';
import { toStableJson } from '../base/json.ts';
import { createTextBlock, type ToolCall, type ToolMessage } from '../contracts/message.ts';
import { isSameApprovalRequest, type ApprovalRequest, type ConsentQuestion } from '../contracts/consent.ts';
import type { CallResult, ResolvedCall, RunnableCall } from '../contracts/tool.ts';
import type { CallCell, TurnInPhase } from '../contracts/turn.ts';
import type { TurnDeps } from './deps.ts';
import type { FinishedCall } from './report.ts';
import { hasEffectConflict } from './schedule.ts';
import { RESULTS } from './words.ts';

/** The cells of one `act`: every change is durable before the world can notice it. */
export interface CallTracker {
  /** What is still to run, asked about or not. */
  runnable(): readonly RunnableCall[];
  /** The question about an act of a call; the one that was asked before a restart, when it is the same act. */
  question(call: ToolCall, action: ApprovalRequest): ConsentQuestion;
  asking(question: ConsentQuestion): Promise<void>;
  running(ids: readonly string[]): Promise<void>;
  finished(result: CallResult & { readonly ms: number }): Promise<void>;
  /** What cannot be resolved, and what an interrupt kept from starting, has its result without running. */
  abandonRest(): void;
  results(): readonly FinishedCall[];
}

export function trackCalls(state: TurnInPhase<'act'>, deps: TurnDeps): CallTracker {
  const resolved = new Map(state.calls.map(({ call }) => [call.id, resolve(call, deps)]));
  let cells = answeredOnce(state.calls, resolved).map((cell) => afterCrash(cell, resolved.get(cell.call.id)));
  const change = (ids: readonly string[], to: (cell: CallCell) => CallCell) => {
    cells = cells.map((cell) => (ids.includes(cell.call.id) ? to(cell) : cell));
  };
  const save = () => deps.journal.commit({ turnId: state.turnId, turn: { ...state, calls: cells } });
  // After a crash such a call simply runs again, whatever its cell says: it need not be durable.
  const repeatable = (id: string): boolean => {
    const found = resolved.get(id);
    return found?.ok === true && found.tool.replay === 'safe';
  };
  const waits = (id: string): boolean => {
    const found = resolved.get(id);
    return found?.ok === true && found.effects.interactive === true;
  };
  return {
    runnable: () =>
      cells.flatMap(({ status, call }) => {
        const found = resolved.get(call.id);
        return (status === 'planned' || status === 'asking') && found?.ok === true ? [found] : [];
      }),
    question: ({ id: callId }, action) => {
      const cell = cells.find(({ call }) => call.id === callId);
      return cell?.status === 'asking' && isSameApprovalRequest(cell.question.action, action)
        ? cell.question
        : { id: randomHex(8), sessionId: state.sessionId, callId, at: deps.clock.now(), action };
    },
    asking: async (question) => {
      change([question.callId], ({ call }) => ({ status: 'asking', call, question }));
      await save();
    },
    running: async (ids) => {
      change(ids, ({ call }) => ({ status: waits(call.id) ? 'waiting' : 'running', call }));
      if (!ids.every(repeatable) || ids.some(waits)) await save();
    },
    finished: async ({ message: result, ...more }) => {
      change([result.callId], ({ call }) => ({ status: 'finished', call, result, ...more }));
      // The last result is committed by the phase itself, together with where the turn goes next.
      if (!repeatable(result.callId) && cells.some((cell) => cell.status !== 'finished')) await save();
    },
    abandonRest: () => {
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

/** Of reads of the very same thing in one reply the first runs and the others are told so, unless a call between them may have changed what is read. */
function answeredOnce(cells: readonly CallCell[], resolved: ReadonlyMap<string, ResolvedCall>): CallCell[] {
  const first = new Map<string, RunnableCall>();
  return cells.map((cell) => {
    const found = resolved.get(cell.call.id);
    if (found?.ok !== true) return cell;
    for (const [key, { effects }] of first) if (hasEffectConflict(effects, found.effects)) first.delete(key);
    if (found.effects.kind === 'write' || !found.tool.idempotent) return cell;
    const key = `${found.tool.name} ${toStableJson(found.input)}`;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, found);
    if (earlier === undefined || cell.status === 'finished') return cell;
    const words = RESULTS.sameAs(earlier.call.id);
    return { status: 'finished', call: cell.call, result: { ...createFailureResult(cell.call, words), failed: false } };
  });
}

/** A call that was running when the process died: repeated if that is safe, otherwise its outcome is unknown. */
function afterCrash(cell: CallCell, resolved: ResolvedCall | undefined): CallCell {
  if (cell.status !== 'running' && cell.status !== 'waiting') return cell;
  if (resolved?.ok === true && resolved.tool.replay === 'safe') return { status: 'planned', call: cell.call };
  return { status: 'finished', call: cell.call, result: createFailureResult(cell.call, RESULTS.unknownOutcome) };
}

const notRun = (call: ToolCall, resolved: ResolvedCall | undefined): ToolMessage =>
  createFailureResult(call, resolved?.ok === false ? resolved.words : RESULTS.notRun);

/** A result in our own words. */
export const createFailureResult = (call: ToolCall, words: string): ToolMessage => ({
  role: 'tool',
  callId: call.id,
  name: call.name,
  content: [createTextBlock(words, 'tool')],
  failed: true,
});
