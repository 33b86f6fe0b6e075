import { randomHex } from '../../../../base/ids.ts';
import { startHoldableTimeout, waitAtMost } from '../../../../base/waits.ts';
import type { TextBlock } from '../../../../contracts/message.ts';
import { formatHostKey } from '../../../../contracts/wall.ts';
import type { RunningProcess, StartOptions } from '../../../../contracts/terminal.ts';
import type { ToolContext } from '../../../../contracts/tool.ts';
import { openBoundedText, type MaskSecrets } from './bounded.ts';
import { openScriptCalls, type ScriptCallOptions, type ScriptCalls } from './calls.ts';
import { createFrameReader, type ScriptFrame } from './frames.ts';
import type { Language } from './languages.ts';
import { createRequestReader } from './requests.ts';

export interface ScriptOptions extends ScriptCallOptions {
  readonly timeoutMs: number;
  /** Takes out of what the script wrote whatever is or looks like a secret. */
  readonly mask?: MaskSecrets;
}
/** How a script ended and what it left. */
export interface ScriptResult {
  readonly status: 'success' | 'error' | 'timeout' | 'interrupted';
  readonly exitCode: number | undefined;
  /** Why the wall ended it. */
  readonly stopped?: string;
  /** Standard output and standard error, in the order they were written. */
  readonly output: string;
  /** All that it wrote, as far as it was kept, when `output` is not all of it. */
  readonly whole: string | undefined;
  /** Bytes that were not even kept for that. */
  readonly lost: number;
  readonly calls: number;
  /** Calls that were begun and not through when the script was ended. */
  readonly open: number;
  readonly seconds: number;
  readonly foreign: readonly string[];
  readonly hints: readonly TextBlock[];
  /** What was said against hosts it wanted, for the model. */
  readonly refused: readonly string[];
}

/** Bytes shown of all it wrote; half from the beginning and half from the end. */
const ROOM = 50_000;
/** Bytes kept of its output, for the file that holds what is not shown. */
const MAX_KEPT = 8_000_000;
/** How long a script that was told to end may take for it. */
const GRACE_MS = 5_000;
/** How long is waited for the last words of one that was killed, and for its calls to stop. */
const LAST_WORDS_MS = 1_000;

/** Runs a script where commands run and answers its calls until it ends, or is ended with all it started. */
export async function runScript(language: Language, code: string, context: ToolContext, options: ScriptOptions): Promise<ScriptResult> {
  const startedAt = performance.now();
  const token = crypto.randomUUID();
  const name = `hermes-code-${randomHex(12)}${language.ending}`;
  const late = Promise.withResolvers<'timeout'>();
  const clock = startHoldableTimeout(options.timeoutMs, () => late.resolve('timeout'));
  const refused: string[] = [];
  const start = { maxOutput: 1_000, askHost: askedMeanwhile(clock, context, refused) };
  const running = await context.terminal.start(language.command, start).catch((error: unknown) => {
    clock.clear();
    throw error;
  });
  const calls = openScriptCalls(context, options);
  const heard = listen(running, token, calls, context, options.mask);
  running.write(`${JSON.stringify({ token, name, prelude: language.prelude, tools: options.tools, code: code.toWellFormed() })}\n`);
  const how = await untilEnd(running, late.promise, context.signal).finally(clock.clear);
  // What the script asked for ends with it: nobody would hear of it.
  const open = calls.close();
  if (how === 'timeout') await endPolitely(running);
  else if (how === 'aborted') await running.kill();
  // Whoever stops a script does not wait for that.
  if (how !== 'aborted') await waitAtMost(calls.through(), LAST_WORDS_MS);
  heard.end();
  const forgotten = forget(heard.source(), name, context);
  // Whoever stops a script does not wait for that.
  if (how !== 'aborted') await forgotten;
  const { exitCode, stopped } = running.status();
  return {
    status: how === 'timeout' ? 'timeout' : how === 'aborted' ? 'interrupted' : exitCode === 0 ? 'success' : 'error',
    exitCode: how === 'exited' ? exitCode : undefined,
    ...(stopped !== undefined && { stopped }),
    ...heard.words(),
    calls: calls.made(),
    open,
    seconds: (performance.now() - startedAt) / 1000,
    foreign: calls.foreign(),
    hints: calls.hints(),
    refused,
  };
}

/** Tells the script's words from what it says to us, and sends the answers. */
function listen(running: RunningProcess, token: string, calls: ScriptCalls, context: ToolContext, mask?: MaskSecrets) {
  const output = openBoundedText(MAX_KEPT, mask);
  const readRequest = createRequestReader();
  let source = '';
  const answer = async (frame: ScriptFrame): Promise<void> => {
    const request = readRequest(frame);
    const told = request === undefined ? undefined : await calls.answer(request);
    if (told !== undefined && running.status().state === 'running') running.write(`${JSON.stringify(told)}\n`);
  };
  const kinds: Readonly<Record<string, (frame: ScriptFrame) => unknown>> = {
    c: answer,
    // The first comes from the prelude, before a line of the script has run.
    r: ({ bytes }) => (source ||= bytes.toString('utf8')),
  };
  const reader = createFrameReader(token, {
    frame: (frame) => void kinds[frame.kind]?.(frame),
    text: (text) => {
      output.add(text);
      context.report(text);
    },
  });
  const stop = running.onOutput(reader.push);
  return {
    source: () => source,
    end: () => {
      stop();
      reader.end();
    },
    words: () => ({
      output: output.text(ROOM),
      whole: output.bytes() > ROOM ? output.text(MAX_KEPT) : undefined,
      lost: Math.max(0, output.bytes() - MAX_KEPT),
    }),
  };
}

/** The script's own time does not run while the owner is asked for it. What was said against a host is for the model. */
function askedMeanwhile(
  clock: ReturnType<typeof startHoldableTimeout>,
  context: ToolContext,
  refused: string[],
): NonNullable<StartOptions['askHost']> {
  return async (request) => {
    const release = clock.hold();
    try {
      const { askAboutHost } = await import('../command-line/host-consent.ts');
      const answer = await askAboutHost('execute_code', context)(request);
      // Git says itself why it may not.
      if (typeof answer === 'object' && request.git === undefined)
        refused.push(`[The script could not connect to ${formatHostKey(request)}: ${answer.why}]`);
      return answer;
    } finally {
      release();
    }
  };
}

async function untilEnd(running: RunningProcess, late: Promise<'timeout'>, signal: AbortSignal): Promise<'exited' | 'timeout' | 'aborted'> {
  const end = Promise.withResolvers<'exited' | 'timeout' | 'aborted'>();
  const onAbort = () => end.resolve('aborted');
  void late.then(end.resolve);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  void running.exited.then(() => end.resolve('exited'));
  try {
    return await end.promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** The prelude hands the request on to the whole group; whoever is left after a while is killed. */
async function endPolitely(running: RunningProcess): Promise<void> {
  running.write('{"stop":true}\n');
  await waitAtMost(running.exited, GRACE_MS);
  await running.kill();
  await waitAtMost(running.exited, LAST_WORDS_MS);
}

/** A script that ended by itself has taken its source away; the name is ours, so that nothing else can be meant. */
async function forget(source: string, name: string, { terminal }: ToolContext): Promise<void> {
  if (source.startsWith('/') && source.endsWith(`/${name}`)) await terminal.files.remove(source).catch(() => undefined);
}
