import { randomHex } from '../../../base/ids.ts';
import { UsageError } from '../../../base/errors.ts';
import type { ProcessTrace, Running, StartOptions, Terminal } from '../../../contracts/terminal.ts';
import { endScript, saidGone } from '../process/end-script.ts';
import { farFiles, farScript, followFar } from './far-process.ts';
import { shellFiles, type ShellRun } from '../files/shell.ts';
import type { ProgramLaunch } from '../process/launch.ts';
import { MARK, newCommandId } from '../process/lineage.ts';
import { runPiped } from '../process/piped.ts';
import { endGroup } from '../process/process-group.ts';
import { openSession, type ShellHost } from '../shell/session.ts';
import { shellWord } from '../../../base/shell.ts';

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
  const bare = bareRun(entered);
  const room = `/tmp/hermes-${randomHex(12)}`;
  const { shell, home } = await prepare(bare, room).catch(async (error: unknown) => (await entered.close(), Promise.reject(error)));
  const place: ShellHost = {
    kind: entered.kind,
    files: shellFiles(bare, { home }),
    shell,
    room,
    given: entered.forward,
    marked: true,
    scriptGoes: true,
    launch: launcher(entered, bare, room, shell),
    ...(entered.lasting && {
      outliving: (command, from, cwd, options) => {
        const files = farFiles(room, `bg-${randomHex(8)}`);
        return startDetached({ entered, bare, shell, command, files, script: farScript(command, shell, files, cwd, from) }, options);
      },
    }),
    close: async () => {
      // Logs stay: something that is to outlive this may still write them.
      await bare(`rm -f -- ${shellWord(room)}/*.pid ${shellWord(room)}/a ${shellWord(room)}/b`, noHurry());
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
    const mark = newCommandId();
    return {
      file: entered.file,
      ...marked(entered, mark, how, [shell, '-c', `echo $$ >${shellWord(file)}; ${script}`]),
      carrier: true,
      // Ended alone, the program out here would leave the command running inside.
      end: async (leader) => {
        const [{ output }] = await Promise.all([bare(endScript(`$(cat ${shellWord(file)})`, mark), noHurry()), endGroup(leader)]);
        return saidGone(output);
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
  args: exec(how, [...forward, MARK], program),
  env: { ...env, ...(hand?.(MARK, mark) ?? { [MARK]: mark }) },
});

/** A script in there, beside all sessions. */
export const bareRun =
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
  readonly files: ReturnType<typeof farFiles>;
  readonly script: string;
}

async function startDetached({ entered, bare, shell, command, files, script }: DetachedRun, options: StartOptions): Promise<Running> {
  const mark = newCommandId();
  const started = await runPiped(
    { file: entered.file, ...marked(entered, mark, 'detached', [shell, '-c', script]) },
    { ...noHurry(), timeoutMs: SHORT_MS, maxOutput: 4_000 },
    'no mark is ever told',
  );
  if (started.exitCode !== 0) throw new Error(`the container did not take the command: ${started.output.trim()}`);
  const waiting = `for i in 1 2 3 4 5 6 7 8 9 10; do [ -s ${shellWord(files.pid)} ] && exec cat ${shellWord(files.pid)}; sleep 0.1; done; exit 1`;
  const pid = Number.parseInt((await bare(waiting, noHurry())).output, 10);
  if (Number.isNaN(pid)) throw new Error('the container took the command, but it did not begin');
  const identity = { container: entered.id, mark };
  const trace: ProcessTrace = { backend: entered.kind, pid, command, startedAt: Date.now(), log: files.log, exit: files.exit, identity };
  return followFar(trace, bare, options);
}

/** What engines say of a container that is not there any more, or stands still: its processes and their words are gone. */
const OVER = /no such container|not running|state improper/i;

/** Takes up a process in something that lives on; `undefined` when it does not. Throws when nobody can tell. */
export async function adoptInside(trace: ProcessTrace, bare: ShellRun, options: StartOptions, heard = 0): Promise<Running | undefined> {
  const { exitCode, output } = await bare(`[ -e ${shellWord(trace.log)} ] && echo there || echo gone`, noHurry());
  if (exitCode !== 0 && !OVER.test(output)) throw new Error(`the container does not answer: ${output.trim() || 'it said nothing'}`);
  if (output.trim() !== 'there') return undefined;
  const running = followFar(trace, bare, options, heard);
  // Not waited for: whoever takes it up hears what it finds.
  void running.look();
  return running;
}
