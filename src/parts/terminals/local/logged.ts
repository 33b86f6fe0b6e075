import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../../../base/folders.ts';
import { identifyProcess, isAlive } from '../../../base/process-identity.ts';
import type { DetachedProcessRecord, RunningProcess, StartOptions } from '../../../contracts/terminal.ts';
import { toExitCode } from '../process/exit-code.ts';
import { openListener } from '../process/output-listener.ts';
import { launchProgram, type ProgramLaunch } from '../process/launch.ts';
import { PREFIX, writeProcessIdentity } from './leftovers.ts';
import { cleanInPieces, createLogReader } from './log-file.ts';
import { endAll, endGroup } from '../process/process-group.ts';
import { wrapCommand, type ShellSnapshot } from '../shell/wrap.ts';

export interface LoggedStart {
  readonly command: string;
  readonly shell: 'bash' | 'sh';
  readonly from: ShellSnapshot | undefined;
  readonly cwd: string;
  /** The folder below which each process has one of its own. */
  readonly logs: string;
  launch(script: string, cwd: string): ProgramLaunch;
  readonly options: StartOptions;
}

/** Starts something that goes on without us: it writes into a file of its own and leaves its exit code in another. */
export async function startLogged({ command, shell, from, cwd, logs, launch, options }: LoggedStart): Promise<RunningProcess> {
  makeFolder(logs);
  const folder = mkdtempSync(join(logs, PREFIX));
  const [log, exit] = [join(folder, 'log'), join(folder, 'exit')];
  const script = wrapCommand({ command, shell, exit, ...(from !== undefined && { snapshot: from }) });
  const file = openSync(log, 'a', 0o600);
  const program = launch(script, cwd);
  const child = launchProgram(program, ['pipe', file, file]);
  closeSync(file);
  child.stdin?.on('error', () => {});
  const startedAt = Date.now();
  const pid = child.pid ?? -1;
  const identity = identifyProcess(pid);
  writeProcessIdentity(folder, identity);
  const mark = program.mark === undefined ? {} : { mark: program.mark };
  const trace: DetachedProcessRecord = { backend: 'local', pid, command, startedAt, log, exit, identity: { ...identity, ...mark } };
  let code: number | undefined;
  child.once('exit', (exitCode, signal) => (code = toExitCode(exitCode, signal)));
  child.once('error', () => (code = -1));
  child.unref();
  return followLogged(trace, options, { isOver: () => code !== undefined, exitCode: () => code ?? -1, stdin: child.stdin });
}

/** Takes the files of a process away, once nobody wants to read them any more. Only a folder of ours: the trace comes out of a file. */
export function removeProcessFiles({ backend, log }: DetachedProcessRecord): void {
  const folder = dirname(log);
  if (backend === 'local' && basename(folder).startsWith(PREFIX)) rmSync(folder, { recursive: true, force: true });
}

export interface LoggedProcess {
  /** Whether the process has gone. */
  isOver(): boolean;
  exitCode(): number;
  readonly stdin?: { write(data: string): unknown; end(): unknown } | null;
}

/** How often the file is looked at while somebody listens or waits. */
const LOOK_MS = 100;
/** Whoever else follows it here has read it to its end by then, and the log can be put in other words. */
const CLEAN_MS = 5 * LOOK_MS;

/** A process known by its files alone. Of its output, `heard` lines were heard in an earlier run: nobody is told those again. */
export function followLogged(
  trace: DetachedProcessRecord,
  options: StartOptions,
  { isOver, exitCode, stdin }: LoggedProcess,
  heard = 0,
): RunningProcess {
  const ears = openListener(options);
  const read = createLogReader(trace.log, ears, heard);
  const look = () => {
    if (ears.code() !== undefined) return;
    // In this order: what it wrote before it went is there when it has gone.
    const over = isOver();
    read();
    if (!over) return;
    clearInterval(timer);
    ears.finish(exitCode());
    setTimeout(step, CLEAN_MS).unref();
  };
  const tidying = options.clean === undefined ? [].values() : cleanInPieces(dirname(trace.log), options.clean('kept'));
  const step = (): void => {
    if (tidying.next().done === true) followers.delete(leave);
    else setImmediate(step);
  };
  const leave = () => {
    look();
    if (ears.code() !== undefined || !isLiving(trace)) for (const _ of tidying);
  };
  // It is to outlive us: looking after it must not keep us.
  const timer = setInterval(look, LOOK_MS).unref();
  atExit(leave);
  return {
    pid: trace.pid,
    command: trace.command,
    startedAt: trace.startedAt,
    trace,
    status: () => (look(), ears.told.status()),
    output: () => (look(), ears.told.output()),
    outputEnds: () => (look(), ears.told.outputEnds()),
    onOutput: ears.told.onOutput,
    write: (data) => void stdin?.write(data),
    end: () => void stdin?.end(),
    kill: async () => {
      await endTraced(trace);
      look();
    },
    exited: ears.exited,
  };
}

/** Also of a child whose end we have not heard of yet. */
const isLiving = ({ pid, identity: { started } }: DetachedProcessRecord): boolean => isAlive({ pid, started: String(started) });

const endTraced = ({ pid, identity: { mark } }: DetachedProcessRecord): Promise<boolean> =>
  typeof mark === 'string' ? endAll({ leader: pid, mark }) : endGroup(pid);

/** An end that comes with ours is seen all the same, and no log of it is left as it was written. */
function atExit(leave: () => void): void {
  if (followers.size === 0 && !waiting) process.once('exit', () => followers.forEach((each) => each()));
  waiting = true;
  followers.add(leave);
}
const followers = new Set<() => void>();
let waiting = false;
