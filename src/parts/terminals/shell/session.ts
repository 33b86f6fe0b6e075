import { toErrorMessage } from '../../../base/errors.ts';
import type { Files } from '../../../contracts/files.ts';
import type { RunOptions, RunResult, RunningProcess, StartOptions, Terminal } from '../../../contracts/terminal.ts';
import type { ProgramLaunch } from '../process/launch.ts';
import { followPiped, runPiped, startPiped, type PipedRun } from '../process/piped.ts';
import { createMark } from '../process/marks.ts';
import { openSnapshots } from './snapshots.ts';
import { BEGUN, createSpareShell, WAIT_FOR_SCRIPT, type SpareShell } from './spare-shell.ts';
import { parseCommandEnd, wrapCommand, type ShellSnapshot, type WrapOptions } from './wrap.ts';

/** What a session must know of the place its commands run in. Everything else is the same everywhere. */
export interface ShellHost {
  readonly kind: string;
  readonly files: Files;
  readonly shell: 'bash' | 'sh';
  /** A folder there, for its owner alone, with two empty files `a` and `b`; absent when there is none. */
  readonly room?: string | undefined;
  /** The same folder by its path on this machine; absent when it lies elsewhere. */
  readonly roomHere?: string | undefined;
  /** Names of the environment every command is given. */
  readonly given: readonly string[];
  /** A program that runs the script there, standing in the folder if it can, with a terminal of its own if asked. */
  launch(script: string, cwd: string, how: 'piped' | 'pty'): ProgramLaunch | Promise<ProgramLaunch>;
  /** There is no descriptor 3: what is told comes with the output. */
  readonly marked?: true;
  /** The launch cannot choose the folder: the script goes there by itself. */
  readonly scriptGoes?: true;
  /** The folder itself, or the nearest above it that is still there; absent when the script finds out. */
  standing?(folder: string): string;
  /** Starts something that goes on without us. */
  outliving?(command: string, from: ShellSnapshot | undefined, cwd: string, options: StartOptions): Promise<RunningProcess>;
  /** Runs a launch elsewhere than in a process of ours: only what somebody hears as it comes, and what reads no input. */
  runElsewhere?(launch: ProgramLaunch, command: string, options: RunOptions): Promise<PipedRun>;
  /** Is told how to send away a shell that only waits: it must not pass for a command of somebody's. */
  onMakeRoom?(makeRoom: () => Promise<void>): void;
  close(): Promise<void>;
}

export function openSession(place: ShellHost, start: string): Terminal {
  const session: ShellSession = {
    cwd: start,
    running: new Set(),
    kept: openSnapshots(place.room, place.given, place.roomHere),
    ...(canWait(place) && { spare: createSpareShell() }),
  };
  place.onMakeRoom?.(async () => session.spare?.sendAway());
  return {
    kind: place.kind,
    files: place.files,
    get cwd() {
      return session.cwd;
    },
    carried: () => session.kept.carried(),
    prepare: async () => session.spare?.prepare(() => place.launch(WAIT_FOR_SCRIPT, placeOf(place, session), 'piped')),
    run: (command, options) => (options.pty === true ? runOnTerminal : runHere)(place, session, command, options),
    start: async (command, options) => {
      const started = await startHere(place, session, command, options);
      if (options.outlive === true && started.trace !== undefined) return started;
      session.running.add(started);
      void started.exited.then(() => session.running.delete(started));
      return started;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([session.spare?.close(), ...[...session.running].map((each) => each.kill())]);
      await place.close();
    },
  };
}
interface ShellSession {
  cwd: string;
  readonly running: Set<RunningProcess>;
  readonly kept: ReturnType<typeof openSnapshots>;
  readonly spare?: SpareShell;
}
/** Only bash reads a script in one piece, and only where descriptor 3 is there. */
const canWait = ({ shell, marked, runElsewhere }: ShellHost): boolean => shell === 'bash' && marked !== true && runElsewhere === undefined;
/** Where the next command stands. */
const placeOf = (place: ShellHost, session: ShellSession): string => place.standing?.(session.cwd) ?? session.cwd;

async function runHere(place: ShellHost, session: ShellSession, command: string, options: RunOptions): Promise<RunResult> {
  const cwd = options.cwd ?? placeOf(place, session);
  const { snapshot, finish } = session.kept.begin(command);
  const mark = place.marked === true ? createMark() : undefined;
  const script = wrapCommand({
    command,
    shell: place.shell,
    tell: mark === undefined ? {} : { mark },
    ...(snapshot !== undefined && { snapshot }),
    ...goingTo(place, cwd, options.cwd === undefined),
  });
  const { told, ...result } = await launchedRun(place, { script, command, mark, spare: session.spare }, cwd, options);
  const end = parseCommandEnd(told);
  finish(end?.left === true);
  if (options.cwd !== undefined) return { ...settled(result, end !== undefined), cwd: end?.cwd ?? cwd };
  const movedTo = end?.movedTo ?? (cwd === session.cwd ? undefined : cwd);
  session.cwd = end?.cwd ?? cwd;
  return { ...result, cwd: session.cwd, ...(movedTo !== undefined && { movedTo }) };
}

interface WrappedCommand {
  readonly script: string;
  readonly command: string;
  readonly mark: string | undefined;
  readonly spare: SpareShell | undefined;
}

/** A place that cannot be reached is a command that could not be started, told as any other. */
async function launchedRun(
  place: ShellHost,
  { script, command, mark, spare }: WrappedCommand,
  cwd: string,
  options: RunOptions,
): Promise<PipedRun> {
  try {
    const launch = await place.launch(script, cwd, 'piped');
    if (place.runElsewhere !== undefined && options.onOutput !== undefined && options.stdin === undefined)
      return await place.runElsewhere(launch, command, options);
    const ready = options.stdin === undefined ? await spare?.take(launch, script) : undefined;
    const done = ready && (await followPiped(ready.child, ready.launch, options));
    if (done?.told.startsWith(BEGUN) === true) return { ...done, told: done.told.slice(BEGUN.length) };
    if (done !== undefined && done.ended !== 'exited') return done;
    return await runPiped(launch, options, mark);
  } catch (error) {
    return { exitCode: null, ended: 'failed_to_start', output: `${complaint(error, script)}\n`, omitted: 0, told: '' };
  }
}

const complaint = (error: unknown, script: string): string =>
  error instanceof Error && 'code' in error && error.code === 'E2BIG'
    ? `the command is longer than this system takes (${Math.round(script.length / 1024)} KB); write what it holds to a file first`
    : toErrorMessage(error);

const goingTo = (place: ShellHost, cwd: string, orAbove: boolean): Pick<WrapOptions, 'cwd' | 'orAbove'> =>
  place.scriptGoes === true ? { cwd, ...(orAbove && { orAbove }) } : {};

/** The code of a folder that is not there, and nothing said at the end: the command was never begun. */
const settled = <Kind extends Pick<RunResult, 'exitCode' | 'ended'>>(result: Kind, told: boolean): Kind =>
  result.exitCode === 126 && !told ? { ...result, exitCode: null, ended: 'failed_to_start' } : result;

/** A terminal of its own has no descriptor to tell anything on: such a command takes up what there is and leaves nothing. */
async function runOnTerminal(place: ShellHost, session: ShellSession, command: string, options: RunOptions): Promise<RunResult> {
  const cwd = options.cwd ?? placeOf(place, session);
  const { runInPty } = await import('../process/pty.ts');
  const result = await runInPty(await launchBackground(place, session, command, cwd, 'pty'), command, options);
  return { ...result, cwd };
}

async function startHere(place: ShellHost, session: ShellSession, command: string, options: StartOptions): Promise<RunningProcess> {
  const cwd = options.cwd ?? placeOf(place, session);
  if (options.pty === true) {
    const { startInPty } = await import('../process/pty.ts');
    return startInPty(await launchBackground(place, session, command, cwd, 'pty'), command, options);
  }
  if (options.outlive === true && place.outliving !== undefined) return place.outliving(command, session.kept.current(), cwd, options);
  return startPiped(await launchBackground(place, session, command, cwd, 'piped'), command, options);
}

function launchBackground(
  place: ShellHost,
  session: ShellSession,
  command: string,
  cwd: string,
  how: 'piped' | 'pty',
): ProgramLaunch | Promise<ProgramLaunch> {
  const snapshot = session.kept.current();
  const script = wrapCommand({ command, shell: place.shell, ...(snapshot !== undefined && { snapshot }), ...goingTo(place, cwd, false) });
  return place.launch(script, cwd, how);
}
