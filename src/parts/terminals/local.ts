import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { RunOptions, RunResult, Running, StartOptions, Terminal, TerminalBackend } from '../../contracts/terminal.ts';
import { capture } from './capture.ts';
import { localFiles } from './files/local.ts';
import { endGroup } from './process-group.ts';
import { runInPty, startInPty } from './pty.ts';

/** Where the shell stood at its end is told on descriptor 3, so that `cd` carries over to the next command. */
const TELL_CWD = "trap 'pwd -P >&3 2>/dev/null' EXIT\n";
/** How long the pipes must be silent after the shell has gone; something it left behind may hold them open for ever. */
const DRAIN_MS = 50;
/** How often that silence is waited for: what talks on in the background is not heard out. */
const DRAIN_ROUNDS = 4;

const shell = (): string => ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find(existsSync) ?? '/bin/sh';

/** Commands on this machine, each in a process group of its own. */
export const localTerminal: TerminalBackend = {
  kind: 'local',
  open: async ({ cwd, env }) => openLocal(cwd, env, shell()),
};

function openLocal(start: string, env: Readonly<Record<string, string>>, bash: string): Terminal {
  let cwd = start;
  const running = new Set<Running>();
  return {
    kind: 'local',
    files: localFiles,
    get cwd() {
      return cwd;
    },
    run: async (command, options) => {
      const place = options.cwd ?? standing(cwd);
      const result = await (options.pty === true
        ? runInPty(bash, command, place, env, options)
        : runPiped(bash, command, place, env, options));
      if (options.cwd !== undefined) return result;
      const moved = place !== cwd;
      cwd = result.cwd;
      return moved ? { ...result, movedTo: place } : result;
    },
    start: async (command, options) => {
      const place = options.cwd ?? standing(cwd);
      const started = await (options.pty === true
        ? startInPty(bash, command, place, env, options)
        : startPiped(bash, command, place, env, options));
      running.add(started);
      void started.exited.then(() => running.delete(started));
      return started;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...running].map((each) => each.kill()));
    },
  };
}

/** The folder itself, or the nearest above it that is still there: a command may have removed the one it stood in. */
const standing = (folder: string): string => (existsSync(folder) || dirname(folder) === folder ? folder : standing(dirname(folder)));

function launch(bash: string, command: string, cwd: string, env: Readonly<Record<string, string>>, stdio: StdioOptions): ChildProcess {
  // A shell at level one whose input is a socket takes itself for a remote login and reads ~/.bashrc.
  return spawn(bash, ['-c', command], { cwd, env: { SHLVL: '1', ...env, PWD: cwd }, detached: true, stdio });
}

function runPiped(
  bash: string,
  command: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  options: RunOptions,
): Promise<RunResult> {
  const child = launch(bash, TELL_CWD + command, cwd, env, [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', 'pipe']);
  const output = capture(options.maxOutput, options.keepAll);
  let ended: RunResult['ended'] = 'exited';
  let told = '';
  const hear = (chunk: Buffer) => {
    const fresh = output.add(chunk);
    options.onOutput?.(fresh);
  };
  child.stdout?.on('data', hear);
  child.stderr?.on('data', hear);
  child.stdio[3]?.on('data', (chunk: Buffer) => (told += chunk.toString()));
  child.stdin?.on('error', () => {}); // a command that does not read its input closes the pipe; that is its right
  child.stdin?.end(options.stdin);
  const stop = (why: 'timeout' | 'aborted') => {
    ended = why;
    void endGroup(child.pid);
  };
  const timer = setTimeout(() => stop('timeout'), options.timeoutMs);
  const onAbort = () => stop('aborted');
  if (options.signal.aborted) onAbort();
  options.signal.addEventListener('abort', onAbort, { once: true });
  return new Promise((resolve) => {
    const finish = (exitCode: number | null) => {
      clearTimeout(timer);
      options.signal.removeEventListener('abort', onAbort);
      release(child);
      resolve({ ...output.finish(), exitCode, ended, cwd: told.trim() === '' ? cwd : told.trim() });
    };
    child.once('error', (error) => {
      output.add(Buffer.from(`${error.message}\n`));
      ended = 'failed_to_start';
      finish(null);
    });
    onceDrained(child, () => (ended === 'exited' ? DRAIN_ROUNDS : 1), finish);
  });
}

/** Tells the exit code once all output has been heard, or nothing more of it comes. */
function onceDrained(child: ChildProcess, rounds: () => number, tell: (exitCode: number | null) => void): void {
  let heard = false;
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', () => (heard = true));
  child.once('exit', (code) => {
    let timer: NodeJS.Timeout | undefined;
    const listen = (left: number) => {
      heard = false;
      // The immediate lets pipes be read that filled while the process was busy elsewhere.
      timer = setTimeout(() => setImmediate(() => (heard && left > 1 ? listen(left - 1) : tell(code))), DRAIN_MS);
    };
    listen(rounds());
    child.once('close', () => {
      clearTimeout(timer);
      tell(code);
    });
  });
}

/** Lets go of pipes that something in the background still holds, so that they cannot keep us alive. */
function release(child: ChildProcess): void {
  for (const stream of child.stdio) stream?.destroy();
  child.unref();
}

async function startPiped(
  bash: string,
  command: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  options: StartOptions,
): Promise<Running> {
  const child = launch(bash, command, cwd, env, ['pipe', 'pipe', 'pipe']);
  const output = capture(options.maxOutput, options.keepAll);
  child.stdout?.on('data', output.add);
  child.stderr?.on('data', output.add);
  child.stdin?.on('error', () => {});
  const exited = Promise.withResolvers<number>();
  let exitCode: number | undefined;
  const end = (code: number) => {
    exitCode ??= code;
    output.finish();
    exited.resolve(exitCode);
  };
  onceDrained(
    child,
    () => DRAIN_ROUNDS,
    (code) => end(code ?? -1),
  );
  child.once('error', (error) => {
    output.add(Buffer.from(`${error.message}\n`));
    end(-1);
  });
  return {
    pid: child.pid ?? -1,
    command,
    startedAt: Date.now(),
    status: () => (exitCode === undefined ? { state: 'running' } : { state: 'exited', exitCode }),
    output: () => output.so().output,
    write: (data) => void child.stdin?.write(data),
    end: () => void child.stdin?.end(),
    kill: () => endGroup(child.pid),
    exited: exited.promise,
  };
}
