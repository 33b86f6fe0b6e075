import { randomHex } from '../../../base/ids.ts';
import { UsageError } from '../../../base/errors.ts';
import type { DetachedProcessRecord, RunningProcess, StartOptions, Terminal } from '../../../contracts/terminal.ts';
import { createEndScript, isGoneReport } from '../process/end-script.ts';
import { resolveContainerFiles, createDetachedScript, followInContainer } from './far-process.ts';
import { createShellFiles, type ShellRun } from '../files/shell.ts';
import type { ProgramLaunch } from '../process/launch.ts';
import { COMMAND_ID_VARIABLE, createCommandId } from '../process/lineage.ts';
import { runPiped } from '../process/piped.ts';
import { endGroup } from '../process/process-group.ts';
import { openSession, type ShellHost } from '../shell/session.ts';
import { quoteShellWord } from '../../../base/shell.ts';

/** Something that runs, and that a command line brings further programs into: a container of any engine. */
export interface EnteredContainer {
  readonly kind: string;
  /** What tells it from every other of its kind. */
  readonly id: string;
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  /** Names of variables of `env` that commands inside get. */
  readonly forward: readonly string[];
  readonly start: string;
  /** It goes on when the session ends, and so may what runs in it. */
  readonly lasting: boolean;
  exec(how: 'piped' | 'pty' | 'detached', forward: readonly string[], program: readonly string[]): readonly string[];
  /** What stands for a variable in the environment of `exec`, when that is not its own name. */
  hand?(name: string, value: string): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const SHORT_MS = 30_000;
const FILES_MS = 120_000;
const noHurry = () => ({ signal: new AbortController().signal, room: 64 * 1024 });

/** A session in there. */
export async function openInside(entered: EnteredContainer): Promise<Terminal> {
  const bare = createShellRun(entered);
  const room = `/tmp/hermes-${randomHex(12)}`;
  const { shell, home } = await prepare(bare, room).catch(async (error: unknown) => (await entered.close(), Promise.reject(error)));
  const place: ShellHost = {
    kind: entered.kind,
    files: createShellFiles(bare, { home }),
    shell,
    room,
    given: entered.forward,
    marked: true,
    scriptGoes: true,
    launch: launcher(entered, bare, room, shell),
    ...(entered.lasting && {
      outliving: (command, from, cwd, options) => {
        const files = resolveContainerFiles(room, `bg-${randomHex(8)}`);
        return startDetached(
          { entered, bare, shell, command, files, script: createDetachedScript(command, shell, files, cwd, from) },
          options,
        );
      },
    }),
    close: async () => {
      // Logs stay: something that is to outlive this may still write them.
      await bare(`rm -f -- ${quoteShellWord(room)}/*.pid ${quoteShellWord(room)}/a ${quoteShellWord(room)}/b`, noHurry());
      await entered.close();
    },
  };
  return openSession(place, entered.start);
}

/** Every command leaves its pid in a file. The files are used in turns: what lives long must not fill up with them. */
function launcher(entered: EnteredContainer, bare: ShellRun, room: string, shell: 'bash' | 'sh'): ShellHost['launch'] {
  let count = 0;
  return (script, _cwd, how): ProgramLaunch => {
    const file = `${room}/${(count = (count + 1) % 1024)}.pid`;
    const mark = createCommandId();
    return {
      file: entered.file,
      ...marked(entered, mark, how, [shell, '-c', `echo $$ >${quoteShellWord(file)}; ${script}`]),
      carrier: true,
      // Ended alone, the program out here would leave the command running inside.
      end: async (leader) => {
        const [{ output }] = await Promise.all([
          bare(createEndScript(`$(cat ${quoteShellWord(file)})`, mark), noHurry()),
          endGroup(leader),
        ]);
        return isGoneReport(output);
      },
    };
  };
}

/** Commands inside carry their mark from their first moment on, as whatever else is forwarded. */
const marked = (
  { exec, env, forward, hand }: EnteredContainer,
  mark: string,
  how: 'piped' | 'pty' | 'detached',
  program: readonly string[],
): Pick<ProgramLaunch, 'args' | 'env'> => ({
  args: exec(how, [...forward, COMMAND_ID_VARIABLE], program),
  env: { ...env, ...(hand?.(COMMAND_ID_VARIABLE, mark) ?? { [COMMAND_ID_VARIABLE]: mark }) },
});

/** A script in there, beside all sessions. */
export const createShellRun =
  ({ file, env, exec }: Pick<EnteredContainer, 'file' | 'env' | 'exec'>): ShellRun =>
  async (script, { stdin, signal, room }) =>
    runPiped(
      { file, args: exec('piped', [], ['sh', '-c', script]), env },
      { signal, timeoutMs: FILES_MS, maxOutput: room, ...(stdin !== undefined && { stdin }) },
      'no mark is ever told',
    );

async function prepare(run: ShellRun, room: string): Promise<{ readonly shell: 'bash' | 'sh'; readonly home: string }> {
  const script = `umask 077; mkdir -p ${room} && : >${room}/a && : >${room}/b && { command -v bash >/dev/null && echo bash || echo sh; } && (cd && pwd)`;
  const { exitCode, output } = await run(script, noHurry());
  const [shell, home] = output.trim().split('\n');
  if (exitCode !== 0)
    throw new UsageError(`The container for commands does not answer: ${output.trim() || `exit code ${exitCode ?? 'none'}`}.`);
  return { shell: shell === 'bash' ? 'bash' : 'sh', home: home ?? '/root' };
}

interface DetachedRun {
  readonly entered: EnteredContainer;
  readonly bare: ShellRun;
  readonly shell: 'bash' | 'sh';
  readonly command: string;
  readonly files: ReturnType<typeof resolveContainerFiles>;
  readonly script: string;
}

async function startDetached(
  { entered, bare, shell, command, files, script }: DetachedRun,
  options: StartOptions,
): Promise<RunningProcess> {
  const mark = createCommandId();
  const started = await runPiped(
    { file: entered.file, ...marked(entered, mark, 'detached', [shell, '-c', script]) },
    { ...noHurry(), timeoutMs: SHORT_MS, maxOutput: 4_000 },
    'no mark is ever told',
  );
  if (started.exitCode !== 0) throw new Error(`the container did not take the command: ${started.output.trim()}`);
  const waiting = `for i in 1 2 3 4 5 6 7 8 9 10; do [ -s ${quoteShellWord(files.pid)} ] && exec cat ${quoteShellWord(files.pid)}; sleep 0.1; done; exit 1`;
  const pid = Number.parseInt((await bare(waiting, noHurry())).output, 10);
  if (Number.isNaN(pid)) throw new Error('the container took the command, but it did not begin');
  const identity = { container: entered.id, mark };
  const trace: DetachedProcessRecord = {
    backend: entered.kind,
    pid,
    command,
    startedAt: Date.now(),
    log: files.log,
    exit: files.exit,
    identity,
  };
  return followInContainer(trace, bare, options);
}

/** What engines say of a container that is not there any more, or stands still: its processes and their words are gone. */
const OVER = /no such container|not running|state improper/i;

/** Takes up a process in something that lives on; `undefined` when it does not. Throws when nobody can tell. */
export async function adoptInside(
  trace: DetachedProcessRecord,
  bare: ShellRun,
  options: StartOptions,
  heard = 0,
): Promise<RunningProcess | undefined> {
  const { exitCode, output } = await bare(`[ -e ${quoteShellWord(trace.log)} ] && echo there || echo gone`, noHurry());
  if (exitCode !== 0 && !OVER.test(output)) throw new Error(`the container does not answer: ${output.trim() || 'it said nothing'}`);
  if (output.trim() !== 'there') return undefined;
  const running = followInContainer(trace, bare, options, heard);
  // Not waited for: whoever takes it up hears what it finds.
  void running.look();
  return running;
}
