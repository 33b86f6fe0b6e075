import { randomHex } from '../../../base/ids.ts';
import type { ProgramLaunch } from '../process/launch.ts';
import { shellWord } from '../../../base/shell.ts';
import { endScript, saidGone } from '../process/end-script.ts';
import { MARK, newCommandId } from '../process/lineage.ts';
import type { RemoteShell } from '../line/line.ts';
import { askFar, runFar } from '../line/run.ts';

export interface PtyHost {
  readonly line: RemoteShell;
  /** A program here that runs a script of the place on a terminal of its own; absent where there is none. */
  pty?(scriptFile: string): ProgramLaunch;
}
const LAYING_MS = 30_000;

/** On a terminal nothing but keys can be sent: the script is laid down before, and leaves its group beside it. */
export async function ptyLaunch(place: PtyHost, room: string, script: string): Promise<ProgramLaunch> {
  const { line } = place;
  if (place.pty === undefined) throw new Error(`${line.name} gives commands no terminal of their own; run this without pty`);
  const file = `${room}/pty-${randomHex(12)}`;
  const id = newCommandId();
  const laid = `echo $$ >${shellWord(`${file}.pid`)}; rm -f -- ${shellWord(file)}; export ${MARK}=${id}; ${script}`;
  const signal = new AbortController().signal;
  const { exitCode, output } = await runFar(line, `cat >${shellWord(file)}`, {
    signal,
    timeoutMs: LAYING_MS,
    maxOutput: 4_000,
    stdin: laid,
  });
  if (exitCode !== 0) throw new Error(`the command could not be laid down on ${line.name}: ${output.trim()}`);
  const launch = place.pty(file);
  return {
    ...launch,
    end: async (pid) => {
      const said = await askFar(line, endScript(`$(cat ${shellWord(`${file}.pid`)})`, id));
      await launch.end?.(pid);
      return saidGone(said ?? '');
    },
  };
}
