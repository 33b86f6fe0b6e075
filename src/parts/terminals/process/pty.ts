import { formatInstallCommand } from '../../../base/install-line.ts';
import type { RunOptions, RunResult, RunningProcess, StartOptions } from '../../../contracts/terminal.ts';
import { openListener } from './output-listener.ts';
import { endGroupOnExit } from './end-on-exit.ts';
import { endLaunched, createLaunchEnvironment, waitForEnding, type ProgramLaunch } from './launch.ts';
import { watchLimits } from './piped.ts';

/** The pseudo-terminal library is native and optional: loaded when first asked for, and its absence is told with the cure. */
async function loadPty(): Promise<typeof import('@lydell/node-pty')> {
  try {
    return await import('@lydell/node-pty');
  } catch (error) {
    throw new Error(
      `a pseudo-terminal was asked for, but @lydell/node-pty is not installed. Run the command without pty, or install it: ${formatInstallCommand('@lydell/node-pty@1.1.0')}`,
      { cause: error },
    );
  }
}

export async function startInPty(launch: ProgramLaunch, command: string, options: StartOptions): Promise<RunningProcess> {
  const { spawn } = await loadPty();
  const heard = openListener(options);
  const terminal = spawn(launch.file, [...launch.args], {
    cwd: launch.cwd ?? '/',
    env: createLaunchEnvironment(launch),
    cols: 120,
    rows: 40,
    name: 'xterm-256color',
  });
  const release = endGroupOnExit(terminal.pid);
  terminal.onData((data) => heard.hear(Buffer.from(data)));
  terminal.onExit(({ exitCode, signal = 0 }) => {
    release();
    heard.finish(signal === 0 ? exitCode : 128 + signal);
  });
  return {
    pid: terminal.pid,
    command,
    startedAt: Date.now(),
    ...heard.told,
    write: (data) => terminal.write(data),
    end: () => terminal.write('\u0004'),
    kill: async () => void (await endLaunched(launch, terminal.pid)),
    exited: heard.exited,
  };
}

export async function runInPty(launch: ProgramLaunch, command: string, options: RunOptions): Promise<Omit<RunResult, 'cwd'>> {
  const running = await startInPty(launch, command, options);
  if (options.stdin !== undefined) running.write(options.stdin);
  let ended: RunResult['ended'] = 'exited';
  let ending: Promise<boolean> | undefined;
  const done = watchLimits(options, (why) => {
    ended = why;
    ending ??= waitForEnding(endLaunched(launch, running.pid), why);
  });
  try {
    const exitCode = await running.exited;
    const result = { exitCode: ended === 'exited' ? exitCode : null, ended, output: running.output(), omitted: 0 };
    return ending === undefined ? result : { ...result, allGone: await ending };
  } finally {
    done();
  }
}
