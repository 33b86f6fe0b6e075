import { devNull } from 'node:os';
import { toErrorMessage } from '../../base/errors.ts';
import { plainEnvironment, runInGroup, type GroupEnd } from '../../base/process-group.ts';
import { takeStart } from '../../base/text.ts';
import type { Hook } from './hook-folder.ts';

export interface HookRun {
  readonly ok: boolean;
  /** What went wrong, and what to do where something can be done. */
  readonly why?: string;
  /** What it printed, cut. */
  readonly output: string;
}
export interface HookRunOptions {
  /** The profile's folder, told as `HERMES_HOME`. */
  readonly root: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 30_000;
const MAX_OUTPUT = 16_000;

/** Calls `handle(event, context)` where the file exports it; a file that reads stdin by itself has done so by then. */
const NODE = `
import { pathToFileURL } from 'node:url';
const { handle } = await import(pathToFileURL(process.argv[1]));
if (typeof handle === 'function') {
  const { text } = await import('node:stream/consumers');
  const { event, context } = JSON.parse(await text(process.stdin));
  await handle(event, context);
}`;
/** Compiled modules of a hook's folder are no part of what is trusted, so none is read: nothing can lie below a device. */
const PYTHON = `
import sys
sys.path[:] = [folder for folder in sys.path if folder]
import asyncio, inspect, json, os, runpy
path = sys.argv[1]
sys.dont_write_bytecode = True
sys.pycache_prefix = os.devnull
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
os.environ["PYTHONPYCACHEPREFIX"] = os.devnull
sys.path.insert(0, os.path.dirname(path))
handle = runpy.run_path(path, run_name="hermes_hook").get("handle")
if callable(handle):
    told = json.load(sys.stdin)
    done = handle(told["event"], told["context"])
    if inspect.isawaitable(done):
        async def wait():
            await done
        asyncio.run(wait())
`;
/** The same for a Python that a handler of another kind starts. Python itself would start slowly with it: its own modules are compiled too. */
const NO_COMPILED = { PYTHONDONTWRITEBYTECODE: '1', PYTHONPYCACHEPREFIX: devNull } as const;
const isPython = ({ handler }: Hook): boolean => handler.endsWith('.py');
const node = (file: string): readonly string[] => [process.execPath, '--input-type=module', '--eval', NODE, file];
/** How each kind of handler is started, by the end of its name. */
const STARTS: Readonly<Record<string, (file: string) => readonly string[]>> = {
  ts: node,
  mts: node,
  js: node,
  mjs: node,
  sh: (file) => ['/bin/sh', file],
  py: (file) => ['python3', '-c', PYTHON, file],
};

/**
 * Runs a handler as a process of its own: the event as JSON on stdin, no variable but the usual ones, so that no key of the
 * owner's reaches it. All of it is killed when its time is up. Never throws.
 */
export async function runHandler(hook: Hook, event: string, context: object, options: HookRunOptions): Promise<HookRun> {
  const { root, timeoutMs = TIMEOUT_MS, signal } = options;
  const line = STARTS[hook.handler.split('.').at(-1) ?? '']?.(`${hook.path}/${hook.handler}`) ?? [];
  let output = '';
  const end = await runInGroup(line, {
    cwd: hook.path,
    env: { ...plainEnvironment(), ...(isPython(hook) ? {} : NO_COMPILED), HERMES_HOME: root, HERMES_HOOK_EVENT: event },
    input: `${JSON.stringify({ event, context })}\n`,
    timeoutMs,
    signal,
    onOutput: (text) => void (output.length < MAX_OUTPUT && (output += text)),
  });
  const why = describeEnd(end, hook, timeoutMs);
  return { ok: why === undefined, ...(why !== undefined && { why }), output: takeStart(output.trim(), MAX_OUTPUT) };
}

/** `undefined` when it ended well. */
function describeEnd({ code, why }: GroupEnd, hook: Hook, timeoutMs: number): string | undefined {
  if (why instanceof Error) return whyNotStarted(why, hook);
  if (why === 'timeout') return `it took longer than ${timeoutMs / 1_000} s and was ended`;
  if (why === 'stopped') return 'the gateway stopped';
  return code === 0 ? undefined : `it ended with ${code}`;
}

const whyNotStarted = (error: Error, hook: Hook): string =>
  isPython(hook)
    ? 'its handler.py needs python3, which is not installed. Install python3, or write the handler as handler.ts, handler.js or handler.sh.'
    : `it could not be started: ${toErrorMessage(error)}`;
