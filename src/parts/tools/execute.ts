import { wellFormed } from '../../base/text.ts';
import { text, type Image, type Text, type ToolMessage } from '../../contracts/message.ts';
import { ToolFailure, type AnyTool, type ResolvedCall, type ToolContext, type ToolOutput, type ToolRun } from '../../contracts/tool.ts';
import { refusedSink } from './sinks.ts';
import type { ToolkitOptions } from './toolkit.ts';

type Runnable = Extract<ResolvedCall, { ok: true }>;

/** How long a tool that was told to stop may take to say what it did; the whole turn has 250 ms. */
const GRACE_MS = 150;

/** One call to its result. Nothing is thrown: a tool's failure is an answer the model can work with. */
export async function execute(resolved: Runnable, run: ToolRun, options: ToolkitOptions): Promise<ToolMessage> {
  const { call, tool, input, effects } = resolved;
  // Where the shell stands may change by the call itself: what it touches is meant from before.
  const touching = { tool: tool.name, input, cwd: options.terminal.cwd, sessionId: run.sessionId, effects };
  const output = (await refusedSink(resolved, touching, run, options)) ?? (await runTool(resolved, run, options));
  const foreign = output.foreign ?? options.provenance?.foreign(touching);
  const content = output.content.map((block) => labelled(block, tool, foreign));
  const message: ToolMessage = { role: 'tool', callId: call.id, name: call.name, content, failed: output.failed ?? false };
  const kept = await options.spill.keep(message, tool.maxResult, run.sessionId);
  const { texts = [], notices = [] } = (await options.hints?.(touching)) ?? {};
  for (const words of notices) run.notice?.(words);
  return texts.length === 0 ? kept : { ...kept, content: [...kept.content, ...texts.map(apart)] };
}

/** A hint is not the tool's last line. */
const apart = (block: Text): Text => ({ ...block, text: `\n${block.text}` });

function runTool({ call, tool, input }: Runnable, run: ToolRun, options: ToolkitOptions): Promise<ToolOutput> {
  const stop = new AbortController();
  const context = contextOf(call.id, run, stop.signal, options);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fitted to the tool's own schema
  const running = start(() => tool.run(input as never, context));
  return race(running, tool.timeoutMs, run.signal, stop);
}

/** Every block says who stands behind it; foreign words also say where they come from. */
function labelled(block: Text | Image, tool: AnyTool, foreign: string | undefined): Text | Image {
  const trust = foreign === undefined ? tool.trust : 'foreign';
  if (block.type !== 'text') return { ...block, trust };
  return { ...block, text: clean(block.text), trust, ...(trust === 'foreign' && { source: foreign ?? tool.name }) };
}

const contextOf = (callId: string, run: ToolRun, signal: AbortSignal, { terminal, ports, approval }: ToolkitOptions): ToolContext => ({
  signal,
  sessionId: run.sessionId,
  turnId: run.turnId,
  callId,
  taint: run.taint,
  terminal,
  ports,
  report: run.report,
  approve: (action) => approval.ask(action, signal),
});

/** A tool that throws before its first wait fails like any other. */
const start = async (run: () => Promise<ToolOutput>): Promise<ToolOutput> => run();

/** The tool's answer, or ours when it fails, overruns its time or does not hear the stop. */
async function race(running: Promise<ToolOutput>, timeoutMs: number, outer: AbortSignal, stop: AbortController): Promise<ToolOutput> {
  const ended = Promise.withResolvers<ToolOutput>();
  const timers: NodeJS.Timeout[] = [];
  const giveUp = (words: string) => {
    stop.abort(outer.reason);
    timers.push(setTimeout(() => ended.resolve(failure(words)), GRACE_MS));
  };
  const onAbort = () => giveUp('The user interrupted this call. It was told to stop; parts of it may have taken effect.');
  if (outer.aborted) onAbort();
  outer.addEventListener('abort', onAbort, { once: true });
  if (timeoutMs > 0)
    timers.push(
      setTimeout(
        () => giveUp(`The call took longer than ${timeoutMs / 1000} s and was stopped; parts of it may have taken effect.`),
        timeoutMs,
      ),
    );
  running.then(ended.resolve, (error: unknown) => ended.resolve(failure(wordsOf(error))));
  try {
    return await ended.promise;
  } finally {
    timers.forEach(clearTimeout);
    outer.removeEventListener('abort', onAbort);
  }
}

const failure = (words: string): ToolOutput => ({ content: [text(words, 'tool')], failed: true });

/** A `ToolFailure` speaks to the model; anything else is named for what it is. */
const wordsOf = (error: unknown): string =>
  error instanceof ToolFailure
    ? error.message
    : `The tool failed: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`;

/** Output of programs may hold anything; what is stored and sent must survive JSON and every provider. */
const clean = (value: string): string => wellFormed(value).replaceAll('\0', '\u{fffd}');
