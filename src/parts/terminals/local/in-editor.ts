import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomHex } from '../../../base/ids.ts';
import { quoteShellWord } from '../../../base/shell.ts';
import type { EditorPort } from '../../../contracts/ports.ts';
import type { RunOptions, RunResult } from '../../../contracts/terminal.ts';
import { createCapture } from '../process/capture.ts';
import { createLaunchEnvironment, type ProgramLaunch } from '../process/launch.ts';
import { watchLimits, type PipedRun } from '../process/piped.ts';

/** Nobody can turn a page there. */
const NO_PAGER = { PAGER: 'cat', GIT_PAGER: 'cat' };
const CUT = '[The editor has not kept the beginning of this output.]\n';

export interface EditorRunOptions {
  readonly runProgram: NonNullable<EditorPort['runProgram']>;
  /** A folder for its owner alone. */
  readonly room: string;
  /** What the script calls that folder, where it has another name. */
  readonly seenAs?: string;
}

/** Runs a script, the last argument of its launch, in a terminal of the editor's. It has no descriptor 3 to tell its end on, so a file takes its place. */
export async function runInEditor(
  { file, args, cwd = '/', ...launch }: ProgramLaunch,
  command: string,
  options: RunOptions,
  { runProgram, room, seenAs = room }: EditorRunOptions,
): Promise<PipedRun> {
  const name = `end-${randomHex(12)}`;
  const end = join(room, name);
  const stop = new AbortController();
  let ended: RunResult['ended'] = 'exited';
  const done = watchLimits(options, (why) => {
    ended = why;
    stop.abort(why);
  });
  try {
    const run = runProgram(
      {
        file,
        args: [...args.slice(0, -1), `exec 3>|${quoteShellWord(join(seenAs, name))} </dev/null; ${args.at(-1) ?? ''}`],
        cwd,
        env: { ...createLaunchEnvironment({ file, args: [], ...launch }), ...NO_PAGER },
        command,
        onOutput: (text) => options.onOutput?.(text),
      },
      stop.signal,
    );
    const { exitCode, output, truncated } = await run.catch((error: unknown) => {
      // Whoever stopped it wants to hear of that, not of the editor.
      if (stop.signal.aborted) return { exitCode: null, output: '', truncated: false };
      throw error;
    });
    const capture = createCapture(options.maxOutput, options.keepAll, options.clean);
    capture.add(Buffer.from(`${truncated ? CUT : ''}${output.replaceAll('\r\n', '\n')}`));
    const told = await readFile(end, 'utf8').catch(() => '');
    const isWhole = ended === 'exited';
    return { ...capture.finish(), exitCode: isWhole ? exitCode : null, ended, told, ...(!isWhole && { allGone: false }) };
  } finally {
    done();
    await rm(end, { force: true });
  }
}
