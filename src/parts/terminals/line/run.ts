import { randomHex } from '../../../base/ids.ts';
import type { RunOptions, RunResult } from '../../../contracts/terminal.ts';
import { createCapture } from '../process/capture.ts';
import { createEndScript, isGoneReport } from '../process/end-script.ts';
import { waitForEnding } from '../process/launch.ts';
import { createCommandId } from '../process/lineage.ts';
import { watchLimits } from '../process/piped.ts';
import { frameScript, readFrame, createMarkCutoff, type FrameProgress } from './frame.ts';
import { encodeScriptInput, type OutputHandlers, type RemoteShell } from './line.ts';

export interface FarRun extends Omit<RunResult, 'cwd'> {
  /** What the script said on descriptor 3. */
  readonly told: string;
  /** Something that could not be ended, or not be followed to its end. */
  readonly left?: FarGroup;
}
/** A command there: its process group, and what everybody of it carries. */
export interface FarGroup {
  readonly group: number;
  readonly id: string;
}
export interface FarRunOptions extends Omit<RunOptions, 'stdin'> {
  readonly stdin?: string | Buffer;
  readonly login?: boolean;
}

/** How long the line may take to carry the end of a command that was stopped, before we stop listening. */
const FAREWELL_MS = 2_000;
/** How long whoever stops a command that is just beginning waits for its end; it is ended in any case, as soon as it has told its group. */
const BEGINNING_MS = 150;
const LATE_MS = 15_000;

/** Runs a script there to its end. Trouble of the line is a result, not an exception. */
export async function runRemote(line: RemoteShell, script: string, options: FarRunOptions): Promise<FarRun> {
  if (options.signal.aborted) return { exitCode: null, ended: 'aborted', output: '', omitted: 0, told: '' };
  const mark = `hermes-${randomHex(12)}${randomHex(12)}`;
  const ear = listening(mark, options);
  const id = createCommandId();
  const framed = frameScript({ script, mark, id, stdin: options.stdin !== undefined, ...(options.login === true && { login: true }) });
  const exec = line.exec(encodeScriptInput(framed, options.stdin), ear.hear);
  void exec.over.then((words) => ear.finished.resolve(words));
  const stop = stopping(line, id, ear.told, ear.finished);
  const done = watchLimits(options, stop.because);
  const words = await ear.finished.promise;
  done();
  void stop.ended().then(() => exec.release());
  const told = ear.told();
  const { run, complaint } = resultOf(line, id, told, words ?? '', stop.why());
  const gone = stop.why() === 'timeout' ? { allGone: await waitForEnding(stop.ended(), 'timeout') } : {};
  return { ...ear.end(complaint), ...run, ...gone, told: told.text };
}

/** Takes both streams in, and knows when everything has been heard. */
function listening(mark: string, options: FarRunOptions) {
  const output = createCapture(options.maxOutput, options.keepAll, options.clean);
  const until = createMarkCutoff(mark);
  const finished = Promise.withResolvers<string | undefined>();
  let heard = '';
  const told = () => readFrame(heard, mark);
  const show = (bytes: Buffer) => {
    const fresh = output.add(bytes);
    if (fresh !== '') options.onOutput?.(fresh);
  };
  const settle = () => until.ended && told().exitCode !== undefined && finished.resolve(undefined);
  const hear: OutputHandlers = {
    output: (bytes) => (show(until.push(bytes)), settle()),
    told: (bytes) => ((heard += bytes.toString()), settle()),
  };
  const end = (complaint: string) => {
    show(until.rest());
    if (complaint !== '') show(Buffer.from(complaint));
    return output.finish();
  };
  return { hear, told, finished, end };
}

/** Ends the group there, and our wait for it when the line does not carry the news. */
function stopping(line: RemoteShell, id: string, told: () => FrameProgress, finished: PromiseWithResolvers<string | undefined>) {
  let why: 'timeout' | 'aborted' | undefined;
  let ended = Promise.resolve(false);
  const giveUp = (ms: number) => void setTimeout(() => finished.resolve(undefined), ms).unref();
  const end = async (): Promise<boolean> => {
    giveUp(told().group === undefined ? BEGINNING_MS : FAREWELL_MS);
    for (let waited = 0; told().group === undefined && waited < LATE_MS; waited += 10) await later(10);
    const { group } = told();
    return group !== undefined && isGoneReport((await queryRemote(line, createEndScript(group, id))) ?? '');
  };
  return {
    why: () => why,
    ended: () => ended,
    because: (reason: 'timeout' | 'aborted') => {
      if (why !== undefined) return;
      why = reason;
      ended = end();
    },
  };
}
const later = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** Says something for which nobody waits for an answer; gives whether it was heard. */
export const sendRemote = async (line: RemoteShell, script: string): Promise<boolean> =>
  (await line.exec(encodeScriptInput(script), { output: () => {}, told: () => {} }).over) === undefined;

/** Asks something that is answered in a few words; `undefined` when it was not heard. */
export async function queryRemote(line: RemoteShell, script: string): Promise<string | undefined> {
  let output = '';
  const words = await line.exec(encodeScriptInput(script), { output: (bytes) => (output += bytes.toString()), told: () => {} }).over;
  return words === undefined ? output : undefined;
}

type FarRunEnd = Pick<FarRun, 'exitCode' | 'ended' | 'left'>;
/** A line that broke while the command ran leaves its outcome unknown; one that never carried it, a command that never began. */
function resultOf(
  line: RemoteShell,
  id: string,
  told: FrameProgress,
  words: string,
  stopped: 'timeout' | 'aborted' | undefined,
): { readonly run: FarRunEnd; readonly complaint: string } {
  const { exitCode, group, noise } = told;
  const left = exitCode === undefined && group !== undefined ? { left: { group, id } } : {};
  if (stopped !== undefined) return { run: { exitCode: null, ended: stopped, ...left }, complaint: '' };
  if (exitCode !== undefined) return { run: { exitCode, ended: 'exited' }, complaint: '' };
  const said = words !== '' ? words : noise.trim();
  if (group === undefined) return { run: { exitCode: null, ended: 'failed_to_start' }, complaint: `${said}\n` };
  return {
    run: { exitCode: null, ended: 'exited', ...left },
    complaint: `\n[The line to ${line.name} broke while this ran${said === '' ? '' : `: ${said}`}. How it ended is unknown. The next command connects again and first ends what is left of this one; look at what it has done before you run it once more.]\n`,
  };
}
