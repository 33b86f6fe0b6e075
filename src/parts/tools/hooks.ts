import { describeBriefly } from '../../base/brief.ts';
import { toErrorMessage } from '../../base/errors.ts';
import { readNumberAt, readStringAt } from '../../base/json.ts';
import type { JsonObject } from '../../base/json-types.ts';
import { lazy } from '../../base/lazy.ts';
import { runWithTimeout } from '../../base/waits.ts';
import type {
  RegisteredHook,
  TerminalOutputHookInput,
  ToolCallDecision,
  ToolCallHookInput,
  ToolHookName,
  ToolHooks,
  ToolResultHookInput,
} from '../../contracts/hooks.ts';
import {
  createTextBlock,
  isProjectSource,
  joinTextBlocks,
  labelSources,
  type TextBlock,
  type ToolMessage,
} from '../../contracts/message.ts';
import type { RequiredConsent } from '../../contracts/consent.ts';
import type { ToolOutput, ToolRunOptions, RunnableCall } from '../../contracts/tool.ts';
import { readDecision } from './hook-decision.ts';
import { toRefusalOutput } from './race.ts';
import { repairInput } from './repair-input.ts';
import type { ToolkitOptions } from './options.ts';

/** A call as the hooks left it: with other arguments, refused, or with something that a person must agree to first. */
export interface HookResult {
  readonly call: RunnableCall;
  readonly refused?: ToolOutput;
  readonly objections: readonly RequiredConsent[];
}
/** A hook that wants a person to agree. */
type HookConsent = Extract<ToolCallDecision, { action: 'approve' }> & { readonly hook: AnyHook };
type AnyHook = Pick<RegisteredHook<ToolHookName>, 'owner' | 'isOwners'>;

/** Asks every `pre_tool_call` hook in order. A block ends it; what a person must agree to is told once nothing will be changed any more. */
export async function runHooks(resolved: RunnableCall, run: ToolRunOptions, options: ToolkitOptions): Promise<HookResult> {
  let call = resolved;
  const consents: HookConsent[] = [];
  for (const hook of options.hooks?.of('pre_tool_call') ?? []) {
    const decision = await decided(hook, call, run);
    if (decision?.action === 'block')
      return {
        call,
        refused: toRefusalOutput([createTextBlock(`Not run: blocked by ${hook.owner}: `, 'tool'), wordsOfHook(hook, decision.message)]),
        objections: [],
      };
    if (decision?.action === 'approve') consents.push({ ...decision, hook });
    if (decision?.action !== 'modify') continue;
    const hooked = changeArguments(call, decision.args, hook);
    if (hooked.refused !== undefined) return hooked;
    call = hooked.call;
  }
  return { call, objections: consents.map((consent) => objectionOf(call, consent, options)) };
}

const toSeenCall = ({ call, tool, input }: RunnableCall, { sessionId, turnId }: ToolRunOptions): ToolCallHookInput =>
  frozenCopy({ tool: tool.name, args: input, sessionId, turnId, callId: call.id });

async function decided(
  hook: RegisteredHook<'pre_tool_call'>,
  call: RunnableCall,
  run: ToolRunOptions,
): Promise<ToolCallDecision | undefined> {
  try {
    return readDecision(await answerOf(hook, () => hook.run(toSeenCall(call, run)), run));
  } catch (error) {
    return { action: 'block', message: `it failed (${toErrorMessage(error)}), and without a decision the call does not run` };
  }
}

function objectionOf(call: RunnableCall, consent: HookConsent, { terminal }: ToolkitOptions): RequiredConsent {
  const { hook, message } = consent;
  const reason = message ?? `${hook.owner} wants a person to agree`;
  const key = consent.ruleKey === undefined ? {} : { key: `hook:${consent.ruleKey}` };
  return {
    action: { tool: call.tool.name, summary: describeBriefly(call.input), reason, cwd: terminal.cwd, ...key },
    refusal: (why) => `Not run: ${reason}, and ${why}`,
    ...(message !== undefined && hook.isOwners !== true && { source: hook.owner }),
  };
}

/** What a hook says to the model: words from outside, unless the owner answers for them. */
const wordsOfHook = (hook: AnyHook, words: string): TextBlock => ({
  type: 'text',
  text: words,
  ...labelSources(sourcesOfHook(hook), 'tool'),
});
const sourcesOfHook = ({ owner, isOwners }: AnyHook): readonly string[] => (isOwners === true ? [] : [owner]);

/** Changed arguments must fit the tool as the model's own must. */
function changeArguments(call: RunnableCall, args: JsonObject, hook: AnyHook): HookResult {
  const repaired = repairInput(call.tool.input, { ...call.input, ...args });
  if (!repaired.ok)
    return {
      call,
      // The names of arguments are words of the hook.
      refused: toRefusalOutput([
        createTextBlock(`Not run: ${hook.owner} changed the arguments, and they no longer fit: `, 'tool'),
        wordsOfHook(hook, `${repaired.problems.join('; ')}.`),
      ]),
      objections: [],
    };
  const { input } = repaired;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fitted to the tool's own schema
  return { call: { ...call, input, effects: call.tool.effects(input as never) }, objections: [] };
}

/** A result, and what its tool said of it. */
export interface HookedResult extends Pick<ToolResultHookInput, 'result' | 'ms' | 'status'> {
  readonly data?: ToolOutput['data'];
}

/** Gives what a command printed to those that may change it, shows the result to those who look on, and lets the first that wants to give it other words. */
export async function runResultHooks(
  call: RunnableCall,
  given: HookedResult,
  run: ToolRunOptions,
  options: ToolkitOptions,
): Promise<ToolMessage> {
  const { hooks, secrets } = options;
  if (hooks === undefined) return given.result;
  const { ms, status } = given;
  const result = await transformTerminalOutput(call, given, run, { hooks, secrets });
  // Made with the first that looks: what cannot be copied is that one's failure.
  const shown = lazy((): ToolResultHookInput => ({ ...toSeenCall(call, run), ...frozenCopy({ result, ms, status }) }));
  await Promise.all(
    hooks
      .of('post_tool_call')
      .map((hook) => answerOf(hook, () => hook.run(shown()), run).catch((error: unknown) => noticeHookFailure(hook, error, run))),
  );
  for (const hook of hooks.of('transform_tool_result')) {
    const words = await answerOf(hook, () => hook.run(shown()), run).catch((error: unknown) => noticeHookFailure(hook, error, run));
    if (typeof words === 'string') return otherWords(hook, result, secrets === undefined ? words : secrets.mask(words));
  }
  return result;
}

/** Only of commands that ran: a refusal is no output. */
async function transformTerminalOutput(
  call: RunnableCall,
  { result, data, status }: HookedResult,
  run: ToolRunOptions,
  { hooks, secrets }: { readonly hooks: ToolHooks; readonly secrets: ToolkitOptions['secrets'] },
): Promise<ToolMessage> {
  const transforms = call.tool.name === 'terminal' && status !== 'blocked' ? hooks.of('transform_terminal_output') : [];
  if (transforms.length === 0) return result;
  const [command, printed] = [readStringAt(call.input, 'command') ?? '', readStringAt(data, 'text') ?? joinTextBlocks(result)];
  const output = secrets === undefined ? printed : secrets.mask(printed);
  const shown = (): TerminalOutputHookInput => ({
    ...toSeenCall(call, run),
    command,
    output,
    exitCode: readNumberAt(data, 'exit_code') ?? null,
  });
  for (const hook of transforms) {
    const words = await answerOf(hook, () => hook.run(shown()), run).catch((error: unknown) => noticeHookFailure(hook, error, run));
    if (typeof words === 'string') return otherWords(hook, result, secrets === undefined ? words : secrets.mask(words));
  }
  return result;
}

/** Other words are those of the hook, and of everything they stand for; pictures stay. */
const otherWords = (hook: AnyHook, result: ToolMessage, words: string): ToolMessage => {
  const sources = result.content.flatMap((block) =>
    block.type !== 'text' || (block.trust !== 'foreign' && !isProjectSource(block.source ?? '')) ? [] : [block.source ?? result.name],
  );
  const label = labelSources([...new Set([...sources, ...sourcesOfHook(hook)])], 'tool');
  return { ...result, content: [{ type: 'text', text: words, ...label }, ...result.content.filter((block) => block.type !== 'text')] };
};

/** Told once for each hook: one that is broken would be told of with every call. */
const told = new WeakSet<object>();
function noticeHookFailure(hook: { readonly owner: string }, error: unknown, run: ToolRunOptions): undefined {
  if (!told.has(hook) && !run.signal.aborted)
    run.notice?.(`${hook.owner} failed beside a tool call and was passed over: ${toErrorMessage(error)}`);
  if (!run.signal.aborted) told.add(hook);
  return undefined;
}

/** A hook's answer, or an error when it does not come in time. Whoever stops the turn does not wait for it. */
async function answerOf<Name extends ToolHookName, Value>(
  { timeoutMs }: RegisteredHook<Name>,
  ask: () => Value | Promise<Value>,
  { signal }: ToolRunOptions,
): Promise<Value | undefined> {
  const answer = await runWithTimeout(ask, timeoutMs, new Error(`no answer within ${timeoutMs / 1000} s`), signal);
  if (signal.aborted) throw new Error('the turn was stopped');
  return answer;
}

/** A copy nobody can change, down to its last field. Plain data only. */
function frozenCopy<Value>(value: Value): Value {
  const copy = structuredClone(value);
  const left: unknown[] = [copy];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'object' && next !== null) left.push(...Object.values(Object.freeze(next)));
  }
  return copy;
}
