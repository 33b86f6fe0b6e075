import type { CallAccess } from './options.ts';
import { FileLockError } from '../../base/holder-file.ts';
import { replaceLoneSurrogates } from '../../base/text.ts';
import { readNumberAt, readPath, readStringAt } from '../../base/json.ts';
import { waitUnlessAborted } from '../../base/waits.ts';
import {
  createTextBlock,
  isProjectSource,
  labelSources,
  type ImageBlock,
  type JsonObject,
  type TextBlock,
  type ToolMessage,
} from '../../contracts/message.ts';
import type { ToolCallInfo } from '../../contracts/safety.ts';
import type { CallResult, ScriptCallResult, ToolContext, ToolOutput, ToolRunOptions, RunnableCall } from '../../contracts/tool.ts';
import { sanitizeDetails, withoutSecrets } from './details.ts';
import { runResultHooks } from './hooks.ts';
import { markOutside } from './mark-outside.ts';
import { race, toRefusalOutput, start } from './race.ts';
import { redactResult } from './secrets.ts';
import type { ToolkitOptions } from './options.ts';

/** A call that nothing stands against any more, with what its tool is given. */
interface AdmittedCall {
  readonly call: RunnableCall;
  readonly input: JsonObject;
  readonly touching: ToolCallInfo;
}

/**
 * The call itself, once what it will change is kept. Nothing else of ours writes to the files it names meanwhile: what it
 * read and checked still holds when it writes, and what is kept is what it changes.
 */
export async function runAdmitted(admitted: AdmittedCall, run: ToolRunOptions, door: CallAccess): Promise<ToolOutput> {
  const { kind, resources } = admitted.call.effects;
  const { lockPaths } = door.options;
  const paths = kind === 'read' ? [] : resources.flatMap((each) => (each.startsWith(PATH) ? [each.slice(PATH.length)] : []));
  if (lockPaths === undefined || paths.length === 0) return runAlone(admitted, run, door);
  try {
    return await lockPaths(paths, () => runAlone(admitted, run, door), { signal: run.signal, waitMs: LOCK_MS });
  } catch (error) {
    if (!(error instanceof FileLockError)) throw error;
    return toRefusalOutput(run.signal.aborted ? STOPPED : `Not run: another call is changing the same file. ${error.message}`);
  }
}
const PATH = 'path:';
/** Longer than others need for one file, shorter than a model should wait in silence. */
const LOCK_MS = 30_000;
const STOPPED = 'The user interrupted this call before it began; nothing was done.';

async function runAlone({ call, input, touching }: AdmittedCall, run: ToolRunOptions, door: CallAccess): Promise<ToolOutput> {
  // What a line does is told by more than its words: an alias may stand for anything.
  const mayWrite = call.effects.kind === 'write' || call.tool.runs !== undefined;
  const undo = mayWrite ? door.options.undo : undefined;
  if (undo !== undefined) {
    const unkept = await waitUnlessAborted(undo.before(touching, run.turnId), run.signal, 0);
    if (run.signal.aborted) return toRefusalOutput(STOPPED);
    if (unkept !== undefined) run.notice?.(unkept);
  }
  try {
    return await runTool({ ...call, input }, run, door);
  } finally {
    if (undo !== undefined) await waitUnlessAborted(undo.after(touching, run.turnId), run.signal, NOTING_MS);
  }
}

/** What is told of a call: labelled, without secrets, seen by the hooks after it, within its size, with the hints it brought about. */
export async function createCallResult(
  { call, touching, ms }: Pick<AdmittedCall, 'call' | 'touching'> & { readonly ms: number },
  output: ToolOutput,
  run: ToolRunOptions,
  { options }: CallAccess,
): Promise<CallResult> {
  const result = redactResult(await messageFor(call, output, touching, options), options.secrets);
  const status = output.refused === true ? 'blocked' : result.failed ? 'failed' : 'done';
  const data = output.data === undefined ? {} : { data: output.data };
  const seen = await runResultHooks(call, { result, status, ms, ...data }, run, options);
  const { texts, notices } = await hintsAfter(touching, run, options);
  for (const words of notices) run.notice?.(words);
  const hints = [...(output.hints ?? []), ...texts];
  if (run.forScript === true) {
    // Other words of a hook stand for the values too.
    const values = seen === result ? output.data : undefined;
    return { message: seen, script: await forScript(seen, values, hints, run, options) };
  }
  const fitting = await options.spill.keep(seen, call.tool.maxResult, run.sessionId);
  const kept = run.markKey === undefined ? fitting : markOutside(fitting, run.markKey);
  const notes = [...(output.notes ?? []), ...(call.note === undefined ? [] : [call.note])].map((note) => createTextBlock(note, 'tool'));
  const below = [...notes, ...hints].map(apart);
  const message = below.length === 0 ? kept : { ...kept, content: [...kept.content, ...below] };
  return {
    message,
    ...(output.details !== undefined && { details: sanitizeDetails(output.details, options.secrets) }),
    ...(output.refused === true && { refused: true }),
  };
}

/** Trouble costs the hints, never the result. */
async function hintsAfter(touching: ToolCallInfo, { markKey }: ToolRunOptions, { hints }: ToolkitOptions) {
  const found = markKey === undefined ? undefined : await hints?.after({ ...touching, markKey }).catch(() => undefined);
  return found ?? { texts: [], notices: [] };
}

/** What a script gets of a result: values without secrets, and nothing that its tool did not say. */
async function forScript(
  message: ToolMessage,
  data: JsonObject | undefined,
  hints: readonly TextBlock[],
  { sessionId }: ToolRunOptions,
  { secrets, spill }: ToolkitOptions,
): Promise<ScriptCallResult> {
  const { failed, content, name } = message;
  const sources = content.flatMap((block) =>
    block.type === 'text' && block.source !== undefined && (block.trust === 'foreign' || isProjectSource(block.source))
      ? [block.source]
      : [],
  );
  const foreign = sources.length === 0 && content.some(({ trust }) => trust === 'foreign') ? [name] : [...new Set(sources)];
  const values = failed || data === undefined ? await spill.forScript(message, sessionId) : withoutSecrets(data, secrets);
  return { data: values, failed, foreign, hints };
}

/** A call that was stopped waits this long until what it left is written down; what is not then counts as cut off. */
const NOTING_MS = 40;

/** A hint is not the tool's last line. */
const apart = (block: TextBlock): TextBlock => ({ ...block, text: `\n${block.text}` });

function runTool({ call, tool, input }: RunnableCall, run: ToolRunOptions, door: CallAccess): Promise<ToolOutput> {
  const stop = new AbortController();
  const context = contextOf(call.id, run, stop.signal, door);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fitted to the tool's own schema
  const running = start(() => tool.run(input as never, context));
  return race(running, tool.timeoutMs, run.signal, stop);
}

/** A call we refused brought nothing from outside, whatever its tool is for. Why it was refused may be words of a hook. */
async function messageFor(
  resolved: RunnableCall,
  output: ToolOutput,
  touching: ToolCallInfo,
  options: ToolkitOptions,
): Promise<ToolMessage> {
  const { call, tool } = resolved;
  const source = output.refused === true ? undefined : await sourceOf(touching, output, options);
  const label = labelOf(source, output, tool);
  const content = output.content.map((block) =>
    output.refused === true && isNamedForeign(block) ? { ...block, text: clean(block.text) } : labelled(block, label),
  );
  return { role: 'tool', callId: call.id, name: call.name, content, failed: output.failed ?? false };
}

/** Where it cannot be told whose words they are, they are somebody else's. */
async function sourceOf(
  touching: ToolCallInfo,
  { data, failed = false, foreign }: ToolOutput,
  { provenance }: ToolkitOptions,
): Promise<string | undefined> {
  if (foreign !== undefined && !isProjectSource(foreign)) return foreign;
  try {
    const text = readStringAt(data, 'text');
    const outcome =
      text === undefined
        ? undefined
        : { text, exitCode: readNumberAt(data, 'exit_code'), reachedNobody: readPath(data, 'reached_nobody') === true };
    return (await provenance?.foreign(touching, outcome)) ?? foreign ?? (await provenance?.project(touching, failed));
  } catch {
    return 'a source that could not be told';
  }
}

type SourceLabel = ReturnType<typeof labelSources>;
const labelOf = (source: string | undefined, { refused }: ToolOutput, { trust, name }: RunnableCall['tool']): SourceLabel =>
  refused === true ? { trust: 'tool' } : labelSources(source === undefined ? (trust === 'foreign' ? [name] : []) : [source], trust);

/** Every block says who stands behind it; words of others also say where they come from. */
const labelled = (block: TextBlock | ImageBlock, label: SourceLabel): TextBlock | ImageBlock =>
  block.type === 'text' ? { ...block, text: clean(block.text), ...label } : { ...block, trust: label.trust };
const isNamedForeign = (block: TextBlock | ImageBlock): block is TextBlock =>
  block.type === 'text' && block.trust === 'foreign' && block.source !== undefined;

function contextOf(callId: string, run: ToolRunOptions, signal: AbortSignal, door: CallAccess): ToolContext {
  const { terminal, ports, secrets } = door.options;
  const { sessionId, turnId } = run;
  return {
    signal,
    sessionId,
    turnId,
    callId,
    taint: run.taint,
    ...(run.forScript === true && { forScript: true }),
    terminal,
    ports,
    report: (note, childId) => run.report(secrets === undefined ? note : secrets.mask(note), childId),
    approve: (action) => door.approve({ sessionId, turnId, callId, ...action }, signal),
    call: innerCalls(callId, { ...run, signal }, door),
  };
}

/** Calls a script makes of other tools. What one of them let in from outside is in view of the next. */
function innerCalls(outer: string, run: ToolRunOptions, door: CallAccess): ToolContext['call'] {
  const seen = new Set<string>();
  return async (name, input, signal) => {
    const stop = signal === undefined ? run.signal : AbortSignal.any([run.signal, signal]);
    const result = await door.call(
      name,
      input,
      { ...run, forScript: true, signal: stop, taint: [...new Set([...run.taint, ...seen])] },
      outer,
    );
    result.foreign.forEach((source) => seen.add(source));
    return result;
  };
}

/** Output of programs may hold anything; what is stored and sent must survive JSON and every provider. */
const clean = (value: string): string => replaceLoneSurrogates(value).replaceAll('\0', '\u{fffd}');
