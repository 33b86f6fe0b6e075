import type { ToolDetails } from '../contracts/details.ts';
import type { NewEntry } from '../contracts/entry.ts';
import type { ClosingReason } from '../contracts/event.ts';
import { createTextBlock, type ToolCall, type ToolMessage } from '../contracts/message.ts';
import type { ResolvedCall } from '../contracts/tool.ts';
import type { GuardState, TurnInPhase } from '../contracts/turn.ts';
import { BOUNDS } from './bounds.ts';
import type { PhaseResult, TurnDeps } from './deps.ts';
import { checkForLoop, type WatchedCall } from './guard.ts';
import { createSteerEntry, readWaitingTexts, takeTexts } from './inbox.ts';
import { createNudgeEntries } from './nudge.ts';
import { toTurnBase, toSample, toSettle, spend } from './state.ts';
import { NUDGES, createStoppedOutcome } from './words.ts';

export interface FinishedCall {
  readonly call: ToolCall;
  readonly result: ToolMessage;
  readonly details?: ToolDetails;
  readonly ms?: number;
  readonly refused?: true;
  readonly resolved: ResolvedCall | undefined;
}

/** The tool boundary: results join the log in the order asked, with what the user sent meanwhile, and the guard has its say. */
export async function reportResults(state: TurnInPhase<'act'>, finished: readonly FinishedCall[], deps: TurnDeps): Promise<PhaseResult> {
  const { guard, messages, halt } = deps.isUnaided
    ? { guard: state.guard, messages: finished.map(({ result }) => result), halt: undefined }
    : guarded(state.guard, finished, deps.settings['tool_loop_guardrails.hard_stop_enabled']);
  const fitted = await deps.toolkit.fit(messages, state.sessionId);
  const results = fitted.map((message, index) => createResultEntry(message, finished[index]));
  const { steers, interrupts } = await readWaitingTexts(deps.journal);
  // The interrupting text keeps waiting: it opens the next turn.
  if (deps.signal.aborted || interrupts.length > 0)
    return { state: toSettle({ ...state, guard }, createStoppedOutcome(deps.signal)), append: results };
  const next = { ...toTurnBase(state), guard };
  if (halt === undefined) takeTexts(deps.journal, steers);
  if (halt !== undefined) {
    // Steers wait: the closing call takes no new instructions, and the next turn answers them.
    return {
      state: toSample({ ...next, spent: spend(next.spent, 'closing') }, halt),
      append: [...results, ...createNudgeEntries([], NUDGES.closing[halt])],
    };
  }
  if (steers.length === 0) return { state: toSample(next), append: results };
  const { entry, notices } = await createSteerEntry(steers, deps);
  return {
    state: toSample(next),
    append: [...results, entry],
    fates: steers.map(({ id }) => ({ id, fate: 'steered' })),
    notices,
  };
}

/** A result as the log has it, with what faces are told besides. */
export function createResultEntry(message: ToolMessage, { details, ms, resolved }: Partial<FinishedCall> = {}): NewEntry {
  const meant = resolved?.ok === true ? resolved.tool.name : resolved?.meant;
  return {
    type: 'message',
    origin: 'tool',
    message,
    ...(meant !== undefined && meant !== message.name && { tool: meant }),
    ...(details !== undefined && { details }),
    ...(ms !== undefined && { ms }),
  };
}

/** Lets the loop guard look at each result in order; its warnings ride on the results they are about. */
function guarded(start: GuardState, finished: readonly FinishedCall[], mayHalt: boolean) {
  const known = finished.some(({ resolved }) => resolved?.ok === true || resolved?.problem !== 'unknown_tool');
  let guard: GuardState = { ...start, strangers: known ? 0 : start.strangers + 1 };
  let halt: ClosingReason | undefined = guard.strangers >= BOUNDS.invalid_tool.limit ? 'invalid_tool_calls' : undefined;
  const failedHere = new Set<string>();
  const messages = finished.map(({ call, result, resolved, refused = false }) => {
    const meant = toWatchedCall(call, resolved);
    const [next, verdict] = checkForLoop(guard, { ...meant, result, refused, unseen: failedHere.has(meant.name) });
    if (result.failed) failedHere.add(meant.name);
    guard = next;
    if (verdict.type === 'halt' && mayHalt) halt ??= 'loop_guard';
    return verdict.type === 'warn' ? { ...result, content: [...result.content, createTextBlock(`\n[${verdict.words}]`, 'tool')] } : result;
  });
  return { guard, messages, halt };
}

/** The tool behind a call, which may have come through another: what is counted and named is what was meant. */
function toWatchedCall(call: ToolCall, resolved: ResolvedCall | undefined): Pick<WatchedCall, 'name' | 'input' | 'known' | 'idempotent'> {
  if (resolved?.ok === true) return { name: resolved.tool.name, input: resolved.input, known: true, idempotent: resolved.tool.idempotent };
  const { meant = call.name, problem } = resolved ?? {};
  // One that is not there fails however it is asked; arguments that do not fit say nothing of their tool.
  return { name: meant, input: call.malformed ?? call.input, known: problem === 'absent_tool', idempotent: false };
}
