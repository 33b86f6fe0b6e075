import { messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json-types.ts';
import type { HungHook, ToolCallDecision, ToolCallSeen, ToolHookName, ToolResultSeen } from '../../contracts/hooks.ts';
import { text, type ToolMessage } from '../../contracts/message.ts';
import type { ToolOutput, ToolRun } from '../../contracts/tool.ts';
import type { Runnable } from './execute.ts';
import { failure } from './race.ts';
import { repairInput } from './repair-input.ts';
import type { ToolkitOptions } from './toolkit.ts';

/** A call as the hooks left it: with other arguments, or refused. */
export interface Admitted {
  readonly call: Runnable;
  readonly refused?: ToolOutput;
}

/** Asks every `pre_tool_call` hook in order. A block ends it; a hook that fails or is late blocks as well. */
export async function runHooks(resolved: Runnable, run: ToolRun, options: ToolkitOptions): Promise<Admitted> {
  let call = resolved;
  for (const hook of options.hooks?.of('pre_tool_call') ?? []) {
    const decision = await decided(hook, seen(call, run));
    const admitted = await applied(call, decision, hook.owner, run, options);
    if (admitted.refused !== undefined) return admitted;
    call = admitted.call;
  }
  return { call };
}

const seen = ({ call, tool, input }: Runnable, { sessionId, turnId }: ToolRun): ToolCallSeen => ({
  tool: tool.name,
  args: input,
  sessionId,
  turnId,
  callId: call.id,
});

async function decided(hook: HungHook<'pre_tool_call'>, call: ToolCallSeen): Promise<ToolCallDecision | undefined> {
  try {
    return await inTime(hook, async () => hook.run(call));
  } catch (error) {
    return { action: 'block', message: `it could not decide (${messageOf(error)}), and what cannot be decided is not run` };
  }
}

async function applied(
  call: Runnable,
  decision: ToolCallDecision | undefined,
  owner: string,
  run: ToolRun,
  { approval }: ToolkitOptions,
): Promise<Admitted> {
  if (decision === undefined) return { call };
  if (decision.action === 'block') return { call, refused: failure(`Not run: blocked by ${owner}: ${decision.message}`) };
  if (decision.action === 'modify') return changed(call, decision.args, owner);
  const action = {
    tool: call.tool.name,
    summary: JSON.stringify(call.input).slice(0, SHOWN),
    reason: decision.message ?? `${owner} wants a person to agree`,
    sessionId: run.sessionId,
    turnId: run.turnId,
    ...(decision.ruleKey !== undefined && { key: `hook:${decision.ruleKey}` }),
  };
  const verdict = await approval.ask(action, run.signal).catch((error: unknown) => ({ allow: false as const, reason: messageOf(error) }));
  return verdict.allow ? { call } : { call, refused: failure(`Not run: ${action.reason}, and ${verdict.reason}`) };
}
const SHOWN = 400;

/** Changed arguments must fit the tool as the model's own must. */
function changed(call: Runnable, args: JsonObject, owner: string): Admitted {
  const repaired = repairInput(call.tool.input, { ...call.input, ...args });
  if (!repaired.ok)
    return { call, refused: failure(`Not run: ${owner} changed the arguments, and they no longer fit: ${repaired.problems.join('; ')}.`) };
  const { input } = repaired;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fitted to the tool's own schema
  return { call: { ...call, input, effects: call.tool.effects(input as never) } };
}

/** Shows the result to those who look on, and lets the first that wants to give it other words. */
export async function seeResult(
  { call, refused }: Admitted,
  result: ToolMessage,
  run: ToolRun,
  { hooks, secrets }: ToolkitOptions,
  ms: number,
): Promise<ToolMessage> {
  if (hooks === undefined) return result;
  const status = refused !== undefined ? 'blocked' : result.failed ? 'failed' : 'done';
  const shown: ToolResultSeen = { ...seen(call, run), result, ms, status };
  await Promise.all(
    hooks.of('post_tool_call').map((hook) => inTime(hook, async () => hook.run(shown)).catch((error: unknown) => told(hook, error, run))),
  );
  for (const hook of hooks.of('transform_tool_result')) {
    const words = await inTime(hook, async () => hook.run(shown)).catch((error: unknown) => told(hook, error, run));
    if (typeof words === 'string') return otherWords(result, secrets === undefined ? words : secrets.mask(words));
  }
  return result;
}

/** Other words keep the trust of what they stand for; pictures stay. */
const otherWords = (result: ToolMessage, words: string): ToolMessage => {
  const first = result.content.find((block) => block.type === 'text');
  return {
    ...result,
    content: [{ ...(first ?? text('', 'tool')), text: words }, ...result.content.filter((block) => block.type !== 'text')],
  };
};

const told = ({ owner }: { readonly owner: string }, error: unknown, run: ToolRun): undefined => {
  run.notice?.(`${owner} failed beside a tool call and was passed over: ${messageOf(error)}`);
  return undefined;
};

/** A hook's answer, or an error when it does not come in time. */
async function inTime<Name extends ToolHookName, Value>({ timeoutMs }: HungHook<Name>, work: () => Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
  try {
    return await Promise.race([work(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
