import { toErrorMessage } from '../../base/errors.ts';
import type { JsonObject } from '../../contracts/message.ts';
import type { ToolCallInfo } from '../../contracts/safety.ts';
import { isSameApprovalRequest, type ApprovalRequest, type RequiredConsent, type ApprovalVerdict } from '../../contracts/consent.ts';
import {
  isToolFailure,
  isToolRefusal,
  type CallResult,
  type PreparedCall,
  type ToolOutput,
  type ToolRunOptions,
  type RunnableCall,
} from '../../contracts/tool.ts';
import { createCallResult, runAdmitted } from './execute.ts';
import type { CallAccess } from './options.ts';
import { runHooks, type HookResult } from './hooks.ts';
import { collectPathObjections } from './path-checks.ts';
import { toRefusalOutput } from './race.ts';
import { restoreInput } from './secrets.ts';
import { findForeignWriteObjection } from './foreign-write-check.ts';
import { findSecretCopyObjection } from './secret-copy.ts';
import type { ToolkitOptions } from './options.ts';

/**
 * A call through every gate in order: the hooks before it, secrets made real, consent, undo, the tool, redaction, the hooks
 * after it, size. The hooks are asked once; all else is looked at anew whenever somebody was asked meanwhile.
 */
export async function prepare(resolved: RunnableCall, run: ToolRunOptions, door: CallAccess): Promise<PreparedCall> {
  const startedAt = performance.now();
  const { options } = door;
  const hooked = await runHooks(resolved, run, options);
  const { call } = hooked;
  const touching = touchingOf(call, run, options);
  const answers = answersTo(options.approval, run);
  const own: CallAccess = { ...door, approve: answers.again };
  let { refused } = hooked;
  let objections: readonly RequiredConsent[] = [];
  let input: JsonObject | undefined;
  const refuse = (output: ToolOutput) => {
    refused = output;
    return { type: 'refused' } as const;
  };
  return {
    admission: async () => {
      input = undefined;
      if (refused !== undefined) return { type: 'refused' };
      const seen = await look(hooked, touching, run, options).catch(broken);
      if (!seen.ok) return refuse(seen.refused);
      ({ objections } = seen);
      for (const objection of objections) {
        const { action } = objection;
        const verdict = await answers.known(action);
        if (verdict === undefined) return { type: 'ask', action };
        if (!verdict.allow) return refuse(toDeniedOutput(objection, verdict.reason));
      }
      ({ input } = seen);
      return { type: 'ready' };
    },
    ask: async (action, signal) => {
      const verdict = await answers.ask(action, signal);
      const objection = objections.find((each) => isSameApprovalRequest(each.action, action));
      if (!verdict.allow)
        refuse(objection === undefined ? toRefusalOutput(`Not run: ${verdict.reason}`) : toDeniedOutput(objection, verdict.reason));
      return verdict;
    },
    run: async () => {
      if (input !== undefined)
        for (const { file } of objections) if (file !== undefined) options.terminal.wall?.files.allow(file.path, file.how);
      const output = refused ?? (input === undefined ? NOT_ADMITTED : await runAdmitted({ call, input, touching }, run, own));
      return createCallResult({ call, touching, ms: performance.now() - startedAt }, output, run, door);
    },
  };
}

/** A call to its result; whoever must be asked is asked on the way, and the question dies with the call. */
export async function execute(resolved: RunnableCall, run: ToolRunOptions, door: CallAccess): Promise<CallResult> {
  const prepared = await prepare(resolved, run, door);
  for (;;) {
    const admission = await prepared.admission();
    if (admission.type !== 'ask') return prepared.run();
    await prepared.ask(admission.action, run.signal);
  }
}

const toDeniedOutput = ({ refusal, source }: RequiredConsent, why: string): ToolOutput =>
  toRefusalOutput(source === undefined ? refusal(why) : [{ type: 'text', text: refusal(why), trust: 'foreign', source }]);
const NOT_ADMITTED = toRefusalOutput('Not run: it has not been approved.');

/** Where the shell stands may change by the call itself: what it touches is meant from before. */
const touchingOf = ({ tool, input, effects }: RunnableCall, { sessionId }: ToolRunOptions, { terminal }: ToolkitOptions): ToolCallInfo => ({
  tool: tool.name,
  input,
  cwd: terminal.cwd,
  sessionId,
  effects,
});

/** What was answered about the acts of one call. A yes holds for that act as long as the call lasts. */
function answersTo(approval: ToolkitOptions['approval'], { sessionId, turnId, byOwner }: ToolRunOptions) {
  const given: { readonly action: ApprovalRequest; readonly verdict: ApprovalVerdict }[] = [];
  const note = (action: ApprovalRequest, verdict: ApprovalVerdict): ApprovalVerdict => {
    if (verdict.allow) given.push({ action, verdict });
    return verdict;
  };
  const before = (action: ApprovalRequest): ApprovalVerdict | undefined =>
    given.find((each) => isSameApprovalRequest(each.action, action))?.verdict;
  const whose = (action: ApprovalRequest): ApprovalRequest => ({ sessionId, turnId, ...(byOwner && { byOwner }), ...action });
  return {
    known: async (action: ApprovalRequest): Promise<ApprovalVerdict | undefined> => {
      const verdict = before(action) ?? (await approval.known?.(whose(action)).catch(() => undefined));
      return verdict === undefined ? undefined : note(action, verdict);
    },
    ask: async (action: ApprovalRequest, signal: AbortSignal): Promise<ApprovalVerdict> =>
      note(action, await approval.ask(whose(action), signal).catch(unanswered)),
    again: async (action: ApprovalRequest, stop: AbortSignal): Promise<ApprovalVerdict> =>
      before(action) ?? approval.ask(whose(action), stop),
  };
}

/** A question that could not be put is not answered. */
const unanswered = (error: unknown): ApprovalVerdict => ({ allow: false, by: 'policy', reason: toErrorMessage(error) });

type InputCheckResult =
  | { readonly ok: true; readonly input: JsonObject; readonly objections: readonly RequiredConsent[] }
  | { readonly ok: false; readonly refused: ToolOutput };

/** What the tool would be given now, and what stands against it. Throws a `ToolRefusal` for what nobody can allow. */
async function look(
  { call, objections }: HookResult,
  touching: ToolCallInfo,
  run: ToolRunOptions,
  options: ToolkitOptions,
): Promise<InputCheckResult> {
  const input = restoreInput(call, options);
  const found = [
    ...objections,
    await findSecretCopyObjection(call, touching, run, options),
    ...(await collectPathObjections(call, touching, options)),
    await findForeignWriteObjection(call, touching, run, options),
    await newHostObjection(call, run, options),
    await ownObjection({ ...call, input }, run, options),
  ];
  return { ok: true, input, objections: found.filter((each) => each !== undefined) };
}

/** Judging addresses is loaded with the first call that needs it. */
const newHostObjection = async (call: RunnableCall, run: ToolRunOptions, options: ToolkitOptions): Promise<RequiredConsent | undefined> =>
  run.taint.length === 0 || call.tool.reaches === undefined
    ? undefined
    : (await import('./new-host-check.ts')).findNewHostObjection(call, run, options);

/** What the tool itself would ask. A failure that is no refusal is the call's to tell. */
async function ownObjection(
  { tool, input }: RunnableCall,
  run: ToolRunOptions,
  { terminal }: ToolkitOptions,
): Promise<RequiredConsent | undefined> {
  const { signal, sessionId, turnId, taint } = run;
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fitted to the tool's own schema
    return await tool.asks?.(input as never, { signal, sessionId, turnId, taint, terminal });
  } catch (error) {
    if (isToolFailure(error) && !isToolRefusal(error)) return undefined;
    throw error;
  }
}

/** A guard that breaks lets nothing through. */
const broken = (error: unknown): InputCheckResult => ({
  ok: false,
  refused: toRefusalOutput(isToolRefusal(error) ? error.message : `Not run: a check before the call failed (${toErrorMessage(error)}).`),
});
