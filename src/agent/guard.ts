import { toStableJson } from '../base/json.ts';
import { sha256 } from '../base/sha256.ts';
import { joinTextBlocks, type Json, type ToolMessage } from '../contracts/message.ts';
import type { GuardState } from '../contracts/turn.ts';
import { GUARD_BOUNDS } from './bounds.ts';

export interface WatchedCall {
  /** The tool that was meant, whatever way the call took to it. */
  readonly name: string;
  readonly input: Json;
  readonly result: ToolMessage;
  /** The call named a tool we know. */
  readonly known: boolean;
  /** Repeating it cannot bring anything new by itself. */
  readonly idempotent: boolean;
  /** It was kept from running: what to do next stands in its result. */
  readonly refused: boolean;
  /** An earlier call of the same reply failed with this tool already: the model has not seen that yet, so it counts once. */
  readonly unseen: boolean;
}
export type GuardVerdict = { readonly type: 'fine' } | { readonly type: 'warn'; readonly words: string } | { readonly type: 'halt' };

/** Looks at one finished call beside those before it. Pure: the memory goes in and comes out. */
export function checkForLoop(
  guard: GuardState,
  { name, input, result, known, idempotent, refused, unseen }: WatchedCall,
): readonly [GuardState, GuardVerdict] {
  const key = hash(`${name} ${toStableJson(input)}`);
  if (refused) return checkRefusal(guard, key, hash(joinTextBlocks(result)));
  const outcome = hash(`${result.failed} ${joinTextBlocks(result)}`);
  const before = guard.calls[key];
  const repeats = before?.result === outcome ? before.repeats + 1 : 1;
  const earlier = Object.hasOwn(guard.failing, name) ? (guard.failing[name] ?? 0) : 0;
  const failing = result.failed && known ? earlier + (unseen ? 0 : 1) : 0;
  const { [key]: _before, ...calls } = guard.calls;
  const { [name]: _failing, ...others } = guard.failing;
  const { refused: _refused, ...rest } = guard;
  const next: GuardState = {
    ...rest,
    calls: newest({ ...calls, [key]: { result: outcome, repeats, failed: result.failed } }),
    failing: failing === 0 ? others : { ...others, [name]: failing },
  };
  const stuck = !result.failed && idempotent ? repeats : 0;
  const sameTool = idempotent ? GUARD_BOUNDS.reads_failing : GUARD_BOUNDS.same_tool_failing;
  return [next, verdict({ sameCall: result.failed ? repeats : 0, failing, stuck }, name, sameTool)];
}

/**
 * A refusal is no failure of a tool, and often the same call is refused again after other work: tests that nobody may run, after
 * each change. Only many in a row end the turn. To a refusal nothing is added that it did not advise: it may have said not to
 * look for another way.
 */
function checkRefusal(guard: GuardState, key: string, outcome: string): readonly [GuardState, GuardVerdict] {
  const { warn: warnAt, halt } = GUARD_BOUNDS.refused;
  const before = guard.calls[key];
  const repeats = before?.result === outcome ? before.repeats + 1 : 1;
  const { [key]: _before, ...calls } = guard.calls;
  const refused = (guard.refused ?? 0) + 1;
  const next = { ...guard, refused, calls: newest({ ...calls, [key]: { result: outcome, repeats, failed: true } }) };
  if (refused >= halt) return [next, { type: 'halt' }];
  if (repeats >= GUARD_BOUNDS.same_call_failing.warn)
    return [next, warn(`This same call has been refused ${repeats} times. It will be refused again: do what the result says.`)];
  if (refused < warnAt || guard.toldOfRefusals === true) return [next, { type: 'fine' }];
  return [
    { ...next, toldOfRefusals: true },
    warn(
      'Calls like these are refused for what they do, however they are written. Leave out what does the same, go on with the rest of the task, and say at the end what was not done and why.',
    ),
  ];
}

interface RepetitionCounts {
  readonly sameCall: number;
  readonly failing: number;
  readonly stuck: number;
}

function verdict(
  { sameCall, failing, stuck }: RepetitionCounts,
  name: string,
  sameTool: { readonly warn: number; readonly halt: number },
): GuardVerdict {
  const { same_call_failing, no_progress } = GUARD_BOUNDS;
  if (sameCall >= same_call_failing.halt || failing >= sameTool.halt || stuck >= no_progress.halt) return { type: 'halt' };
  if (sameCall === same_call_failing.halt - 1 || failing === sameTool.halt - 1 || stuck === no_progress.halt - 1)
    return warn(
      `${name} has brought nothing ${Math.max(sameCall, failing, stuck)} times. Once more, and tools are disabled for the rest of this task: do something else, or report.`,
    );
  if (sameCall >= same_call_failing.warn)
    return warn(`This same call has failed ${sameCall} times with the same result. Change something before repeating it.`);
  if (failing >= sameTool.warn) return warn(`${name} has failed ${failing} times in a row. Consider another way.`);
  if (stuck >= no_progress.warn)
    return warn(`This same call has given the same result ${stuck} times. Nothing new will come from repeating it.`);
  return { type: 'fine' };
}

/** The cell is saved with every step, so it must not grow with the turn. */
const REMEMBERED = 64;
const newest = (calls: GuardState['calls']): GuardState['calls'] => Object.fromEntries(Object.entries(calls).slice(-REMEMBERED));

const warn = (words: string): GuardVerdict => ({ type: 'warn', words });
const hash = (value: string): string => sha256(value).slice(0, 20);
