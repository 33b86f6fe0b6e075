import type { DetachedProcessRecord, RunningProcess, StartOptions } from '../../../contracts/terminal.ts';
import { openListener, createResumedListener } from '../process/output-listener.ts';
import { createEndScript } from '../process/end-script.ts';
import type { ShellRun } from '../files/shell.ts';
import { quoteShellWord } from '../../../base/shell.ts';
import { wrapCommand, type ShellSnapshot } from '../shell/wrap.ts';

/** How often a process far away is asked after. */
const LOOK_MS = 1_000;
/** Bytes of its log that are fetched at once. */
const PIECE = 256 * 1024;

export interface ContainerFiles {
  readonly log: string;
  readonly exit: string;
  readonly pid: string;
}
export interface ContainerProcess extends RunningProcess {
  /** Asks now how it stands. */
  look(): Promise<void>;
}
export const resolveContainerFiles = (room: string, id: string): ContainerFiles => ({
  log: `${room}/${id}.log`,
  exit: `${room}/${id}.exit`,
  pid: `${room}/${id}.pid`,
});

/** A script that goes on without anybody: output, exit code and pid in files, and a group of its own. */
export function createDetachedScript(
  command: string,
  shell: 'bash' | 'sh',
  files: ContainerFiles,
  cwd: string,
  from: ShellSnapshot | undefined,
): string {
  const script = wrapCommand({ command, shell, cwd, exit: files.exit, ...(from !== undefined && { snapshot: from }) });
  return `umask 077; echo $$ >${quoteShellWord(files.pid)}; exec >${quoteShellWord(files.log)} 2>&1 </dev/null; ${script}`;
}

/** A process known by what its files say. It has no input. Of its output, `before` lines were heard in an earlier run. */
export function followInContainer(trace: DetachedProcessRecord, run: ShellRun, options: StartOptions, before = 0): ContainerProcess {
  const heard = openListener(options);
  const { take } = createResumedListener(heard, before);
  let [at, failures] = [0, 0];
  const finish = (exitCode: number) => {
    clearInterval(timer);
    heard.finish(exitCode);
  };
  const look = async (): Promise<void> => {
    const seen = await ask(run, lookScript(trace, at));
    if (heard.code() !== undefined) return;
    failures = seen === undefined ? failures + 1 : 0;
    // A place that does not answer three times in a row is gone, and the process with it as far as anybody can tell.
    if (seen === undefined) return failures < 3 ? undefined : finish(-1);
    at += seen.bytes.length;
    take(seen.bytes);
    if (seen.bytes.length === PIECE) return look();
    if (seen.over !== undefined) finish(seen.over);
  };
  const looking = alone(look);
  const timer = setInterval(() => void looking(), LOOK_MS).unref();
  return {
    pid: trace.pid,
    command: trace.command,
    startedAt: trace.startedAt,
    trace,
    ...heard.told,
    write: () => {},
    end: () => {},
    kill: async () => {
      await ask(run, createEndScript(trace.pid, String(trace.identity['mark'])));
      await looking();
    },
    exited: heard.exited,
    look: looking,
  };
}

/** One at a time: who comes while somebody looks shares that look. */
function alone(work: () => Promise<void>): () => Promise<void> {
  let busy: Promise<void> | undefined;
  return () => (busy ??= work().finally(() => (busy = undefined)));
}

/** The exit code is looked for before the output: what was written before it went is then seen with it. */
const lookScript = ({ log, exit, pid }: DetachedProcessRecord, at: number): string =>
  `e=$(cat ${quoteShellWord(exit)} 2>/dev/null) || kill -0 ${pid} 2>/dev/null || e=-1; echo "$e"; tail -c +${at + 1} ${quoteShellWord(log)} 2>/dev/null | head -c ${PIECE} | base64`;

async function ask(run: ShellRun, script: string): Promise<{ readonly bytes: Buffer; readonly over?: number } | undefined> {
  const { exitCode, output } = await run(script, { signal: new AbortController().signal, room: 2 * PIECE });
  if (exitCode !== 0) return undefined;
  const [first = '', ...rest] = output.split('\n');
  return { bytes: Buffer.from(rest.join(''), 'base64'), ...(/^-?\d+$/.test(first) && { over: Number(first) }) };
}
