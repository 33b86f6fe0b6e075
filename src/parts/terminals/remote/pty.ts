import { randomHex } from '../../../base/ids.ts';
import type { ProgramLaunch } from '../process/launch.ts';
import { quoteShellWord } from '../../../base/shell.ts';
import { createEndScript, isGoneReport } from '../process/end-script.ts';
import { COMMAND_ID_VARIABLE, createCommandId } from '../process/lineage.ts';
import type { RemoteShell } from '../line/line.ts';
import { queryRemote, runRemote } from '../line/run.ts';

export interface PtyHost {
  readonly line: RemoteShell;
  /** A program here that runs a script of the place on a terminal of its own; absent where there is none. */
  pty?(scriptFile: string): ProgramLaunch;
}
const LAYING_MS = 30_000;

/** On a terminal nothing but keys can be sent: the script is laid down before, and leaves its group beside it. */
export async function preparePtyLaunch(place: PtyHost, room: string, script: string): Promise<ProgramLaunch> {
  const { line } = place;
  if (place.pty === undefined) throw new Error(`${line.name} gives commands no terminal of their own; run this without pty`);
  const file = `${room}/pty-${randomHex(12)}`;
  const id = createCommandId();
  const laid = `echo $$ >${quoteShellWord(`${file}.pid`)}; rm -f -- ${quoteShellWord(file)}; export ${COMMAND_ID_VARIABLE}=${id}; ${script}`;
  const signal = new AbortController().signal;
  const { exitCode, output } = await runRemote(line, `cat >${quoteShellWord(file)}`, {
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
      const said = await queryRemote(line, createEndScript(`$(cat ${quoteShellWord(`${file}.pid`)})`, id));
      await launch.end?.(pid);
      return isGoneReport(said ?? '');
    },
  };
}
