import type { RunOptions, RunResult, Running, StartOptions } from '../../contracts/terminal.ts';
import { capture } from './capture.ts';
import type { Launch } from './launch.ts';
import { limited } from './piped.ts';
import { endGroup } from './process-group.ts';

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

export async function startInPty(launch: Launch, command: string, options: StartOptions): Promise<Running> {
  const { spawn } = await loadPty();
  const output = capture(options.maxOutput, options.keepAll, options.clean);
  const listeners = new Set<(text: string) => void>();
  const exited = Promise.withResolvers<number>();
  let exitCode: number | undefined;
  const terminal = spawn(launch.file, [...launch.args], {
    cwd: launch.cwd ?? '/',
    env: { ...launch.env },
    cols: 120,
    rows: 40,
    name: 'xterm-256color',
  });
  terminal.onData((data) => {
    const fresh = output.add(Buffer.from(data));
    if (fresh !== '') for (const listener of listeners) listener(fresh);
  });
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
    onOutput: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    write: (data) => terminal.write(data),
    end: () => terminal.write('\u0004'),
    kill: () => (launch.end ?? endGroup)(terminal.pid),
    exited: exited.promise,
  };
}

export async function runInPty(launch: Launch, command: string, options: RunOptions): Promise<Omit<RunResult, 'cwd'>> {
  const running = await startInPty(launch, command, options);
  if (options.stdin !== undefined) running.write(options.stdin);
  let ended: RunResult['ended'] = 'exited';
  const done = limited(options, (why) => {
    ended = why;
    void running.kill();
  });
  try {
    const exitCode = await running.exited;
    return { exitCode: ended === 'exited' ? exitCode : null, ended, output: running.output(), omitted: 0 };
  } finally {
    done();
  }
}
