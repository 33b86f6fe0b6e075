import type { ChildProcess } from 'node:child_process';
import { startHoldableTimeout } from '../../../base/waits.ts';
import type { RunOptions, RunResult, RunningProcess, StartOptions } from '../../../contracts/terminal.ts';
import { createCapture } from './capture.ts';
import { openListener } from './output-listener.ts';
import { endGroupOnExit } from './end-on-exit.ts';
import { toExitCode } from './exit-code.ts';
import { endLaunched, launchProgram, waitForEnding, type ProgramLaunch } from './launch.ts';
import { createMarkFilter } from './marks.ts';

/** How long the pipes must be silent after the shell has gone; something it left behind may hold them open for ever. */
const DRAIN_MS = 50;
/** How often that silence is waited for: what talks on in the background is not heard out. */
const DRAIN_ROUNDS = 4;
/** What is told on descriptor 3 is a path and a sign. */
const MAX_TOLD = 16 * 1024;

export interface PipedRun extends Omit<RunResult, 'cwd'> {
  /** What was said on descriptor 3. */
  readonly told: string;
}

/** The clock of a time-out that can be stopped while somebody is asked. */
export interface ClockedRun {
  onPause?(pause: (waiting: boolean) => void): void;
}

/** With a mark, what is told comes between two of them in the output, and is taken out of it. */
export function runPiped(launch: ProgramLaunch, options: RunOptions, mark?: string): Promise<PipedRun> {
  const child = launchProgram(launch, [
    options.stdin === undefined ? 'ignore' : 'pipe',
    'pipe',
    'pipe',
    ...(mark === undefined ? ['pipe' as const] : []),
  ]);
  child.once('exit', endGroupOnExit(child.pid));
  return followPiped(child, launch, options, mark);
}

/** The same for a program that runs already. */
export function followPiped(child: ChildProcess, launch: ProgramLaunch, options: RunOptions, mark?: string): Promise<PipedRun> {
  const marked = mark === undefined ? undefined : createMarkFilter(mark);
  const output = createCapture(options.maxOutput, options.keepAll, options.clean);
  let ended: RunResult['ended'] = 'exited';
  let told = '';
  let ending: Promise<boolean> | undefined;
  const hear = (chunk: Buffer) => {
    const fresh = output.add(chunk);
    if (fresh !== '') options.onOutput?.(fresh);
  };
  child.stdout?.on('data', marked === undefined ? hear : (chunk: Buffer) => hear(marked.push(chunk)));
  child.stderr?.on('data', hear);
  child.stdio[3]?.on('data', (chunk: Buffer) => (told = (told + chunk.toString()).slice(0, MAX_TOLD)));
  child.stdin?.on('error', () => {}); // a command that does not read its input closes the pipe; that is its right
  child.stdin?.end(options.stdin);
  const done = watchLimits(options, (why) => {
    ended = why;
    ending ??= waitForEnding(endLaunched(launch, child.pid), why);
  });
  return new Promise((resolve) => {
    const finish = (exitCode: number | null) => {
      done();
      release(child);
      if (marked !== undefined) hear(marked.end());
      // The exit code of something that was ended from outside is that of the ending, not its own.
      const result = { ...output.finish(), exitCode: ended === 'exited' ? exitCode : null, ended, told: marked?.told() ?? told };
      if (ending === undefined) resolve(result);
      else void ending.then((allGone) => resolve({ ...result, allGone }));
    };
    child.once('error', (error) => {
      output.add(Buffer.from(`${error.message}\n`));
      ended = 'failed_to_start';
      finish(null);
    });
    onceDrained(child, () => (ended === 'exited' ? DRAIN_ROUNDS : 1), finish);
  });
}

/** Watches the time and the signal. What it gives ends the watch. */
export function watchLimits(
  { timeoutMs, signal, onPause }: Pick<RunOptions, 'timeoutMs' | 'signal'> & ClockedRun,
  stop: (why: 'timeout' | 'aborted') => void,
) {
  const clock = startHoldableTimeout(timeoutMs, () => stop('timeout'));
  let letGo: (() => void) | undefined;
  onPause?.((isWaiting) => {
    if (isWaiting) letGo ??= clock.hold();
    else {
      letGo?.();
      letGo = undefined;
    }
  });
  const onAbort = () => stop('aborted');
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  return () => {
    clock.clear();
    signal.removeEventListener('abort', onAbort);
  };
}

/** Tells the exit code once all output has been heard, or nothing more of it comes. */
function onceDrained(child: ChildProcess, rounds: () => number, tell: (exitCode: number) => void): void {
  let heard = false;
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', () => (heard = true));
  child.once('exit', (exitCode, signal) => {
    const code = toExitCode(exitCode, signal);
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

/** Starts what ends with this process at the latest: its output comes through pipes and is kept in bounded memory. */
export async function startPiped(launch: ProgramLaunch, command: string, options: StartOptions): Promise<RunningProcess> {
  const child = launchProgram(launch, ['pipe', 'pipe', 'pipe']);
  const heard = openListener(options);
  child.stdout?.on('data', heard.hear);
  child.stderr?.on('data', heard.hear);
  child.stdin?.on('error', () => {});
  child.once('exit', endGroupOnExit(child.pid));
  let killed = false;
  onceDrained(
    child,
    () => DRAIN_ROUNDS,
    (code) => heard.finish(killed && launch.carrier === true ? code || -1 : code),
  );
  child.once('error', (error) => {
    heard.hear(Buffer.from(`${error.message}\n`));
    heard.finish(-1);
  });
  return {
    pid: child.pid ?? -1,
    command,
    startedAt: Date.now(),
    ...heard.told,
    write: (data) => void child.stdin?.write(data),
    end: () => void child.stdin?.end(),
    kill: async () => {
      killed = true;
      await endLaunched(launch, child.pid);
    },
    exited: heard.exited,
  };
}
