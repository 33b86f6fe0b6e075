import type { RunOptions, RunResult, Running, StartOptions } from '../../contracts/terminal.ts';
import { capture } from './capture.ts';
import { endGroup } from './process-group.ts';

type Environment = Readonly<Record<string, string>>;

/** The pseudo-terminal library is native and optional: loaded when first asked for, and its absence is told with the cure. */
async function loadPty(): Promise<typeof import('@lydell/node-pty')> {
  try {
    return await import('@lydell/node-pty');
  } catch (error) {
    throw new Error(
      'a pseudo-terminal was asked for, but @lydell/node-pty is not installed; install it with `npm install @lydell/node-pty`, or run without pty',
      { cause: error },
    );
  }
}

export async function startInPty(bash: string, command: string, cwd: string, env: Environment, options: StartOptions): Promise<Running> {
  const { spawn } = await loadPty();
  const output = capture(options.maxOutput, options.keepAll);
  const exited = Promise.withResolvers<number>();
  let exitCode: number | undefined;
  const terminal = spawn(bash, ['-c', command], { cwd, env: { ...env }, cols: 120, rows: 40, name: 'xterm-256color' });
  terminal.onData((data) => void output.add(Buffer.from(data)));
  terminal.onExit((exit) => {
    exitCode = exit.exitCode;
    output.finish();
    exited.resolve(exitCode);
  });
  return {
    pid: terminal.pid,
    command,
    startedAt: Date.now(),
    status: () => (exitCode === undefined ? { state: 'running' } : { state: 'exited', exitCode }),
    output: () => output.so().output,
    write: (data) => terminal.write(data),
    end: () => terminal.write('\u0004'),
    kill: () => endGroup(terminal.pid),
    exited: exited.promise,
  };
}

/** A command on a terminal of its own. Where it ends does not carry over: a terminal has no side channel. */
export async function runInPty(bash: string, command: string, cwd: string, env: Environment, options: RunOptions): Promise<RunResult> {
  const running = await startInPty(bash, command, cwd, env, options);
  if (options.stdin !== undefined) running.write(options.stdin);
  let ended: RunResult['ended'] = 'exited';
  const stop = (why: 'timeout' | 'aborted') => {
    ended = why;
    void running.kill();
  };
  const timer = setTimeout(() => stop('timeout'), options.timeoutMs);
  const onAbort = () => stop('aborted');
  if (options.signal.aborted) onAbort();
  options.signal.addEventListener('abort', onAbort, { once: true });
  try {
    const exitCode = await running.exited;
    return { exitCode: ended === 'exited' ? exitCode : null, ended, output: running.output(), omitted: 0, cwd };
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', onAbort);
  }
}
