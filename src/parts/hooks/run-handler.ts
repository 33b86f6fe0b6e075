import { spawn } from 'node:child_process';
import { dirname, delimiter } from 'node:path';
import { toErrorMessage } from '../../base/errors.ts';
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
const PYTHON = `
import asyncio, inspect, json, os, runpy, sys
path = sys.argv[1]
sys.path.insert(0, os.path.dirname(path))
sys.dont_write_bytecode = True
handle = runpy.run_path(path, run_name="hermes_hook").get("handle")
if callable(handle):
    told = json.load(sys.stdin)
    done = handle(told["event"], told["context"])
    if inspect.isawaitable(done):
        async def wait():
            await done
        asyncio.run(wait())
`;
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
export function runHandler(hook: Hook, event: string, context: object, options: HookRunOptions): Promise<HookRun> {
  const [program = '', ...args] = STARTS[hook.handler.split('.').at(-1) ?? '']?.(`${hook.path}/${hook.handler}`) ?? [];
  const { promise, resolve } = Promise.withResolvers<HookRun>();
  const { timeoutMs = TIMEOUT_MS, signal } = options;
  let output = '';
  let why: string | undefined;
  const end = (ok: boolean, reason?: string): void =>
    resolve({ ok, ...(reason !== undefined && { why: reason }), output: takeStart(output.trim(), MAX_OUTPUT) });
  const child = spawn(program, args, {
    cwd: hook.path,
    // A group of its own, so that what it started ends with it.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: environment(event, options.root),
  });
  const kill = (reason: string): void => {
    why ??= reason;
    killGroup(child.pid);
    // Whoever left the group may hold the pipes for ever.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const timer = setTimeout(() => kill(`it took longer than ${timeoutMs / 1_000} s and was ended`), timeoutMs);
  const onAbort = (): void => kill('the gateway stopped');
  signal?.addEventListener('abort', onAbort, { once: true });
  const hear = (chunk: Buffer): void => void (output.length < MAX_OUTPUT && (output += chunk.toString('utf8')));
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  child.stdin.on('error', () => {});
  child.stdin.end(`${JSON.stringify({ event, context })}\n`);
  const finish = (ok: boolean, reason?: string): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    end(ok, reason);
  };
  child.on('error', (error) => finish(false, whyNotStarted(error, hook)));
  child.on('close', (code, ended) => {
    killGroup(child.pid);
    finish(code === 0 && why === undefined, why ?? (code === 0 ? undefined : `it ended with ${code ?? ended}`));
  });
  return promise;
}

const whyNotStarted = (error: Error, { handler }: Hook): string =>
  handler.endsWith('.py')
    ? 'its handler.py needs python3, which is not installed. Install python3, or write the handler as handler.ts, handler.js or handler.sh.'
    : `it could not be started: ${toErrorMessage(error)}`;

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left.
  }
}

/** What a program needs to find its way; nothing of it is a secret. */
const USUAL = ['HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'] as const;
const environment = (event: string, root: string): Record<string, string> => ({
  ...Object.fromEntries(USUAL.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name] ?? '']]))),
  PATH: [process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin', dirname(process.execPath)].join(delimiter),
  HERMES_HOME: root,
  HERMES_HOOK_EVENT: event,
});
