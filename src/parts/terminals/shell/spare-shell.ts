import type { ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import { Socket } from 'node:net';
import { endGroupOnExit } from '../process/end-on-exit.ts';
import { endLaunched, launchProgram, type ProgramLaunch } from '../process/launch.ts';
import { markWaiting } from '../process/waiting.ts';

/**
 * A shell that was started before its command is known, while the model still thinks: starting one takes longer than most
 * commands do. It waits for its script on descriptor 3 and is then what it would have been with the script in its arguments.
 */
export interface SpareShell {
  /** Starts one that is like this launch would be, unless there is one. Trouble is left for the command to tell. */
  prepare(launch: () => ProgramLaunch | Promise<ProgramLaunch>): Promise<void>;
  /** The one that waits, if it is what this launch would start now, with the script on its way. It belongs to the caller from then on. */
  take(wanted: ProgramLaunch, script: string): Promise<StartedShell | undefined>;
  /** Sends the one that waits away, and tells when it has gone. */
  sendAway(): Promise<void>;
  /** No more of them. */
  close(): Promise<void>;
}
export interface StartedShell {
  readonly launch: ProgramLaunch;
  readonly child: ChildProcess;
}

/** Told first by a shell that has its script. One that went without it has run nothing of it. */
export const BEGUN = '>';

/**
 * The length of the script, then the script: with its length known, bash reads it in one piece. Nothing of ours is left for
 * the command to see. It ends by itself when nobody is there any more to send one.
 */
export const WAIT_FOR_SCRIPT =
  'IFS= read -r -u 3 __hermes_n && LC_ALL=C IFS= read -r -N "$__hermes_n" -u 3 __hermes_script || exit; ' +
  `echo -n '${BEGUN}' >&3; ` +
  'SECONDS=0; eval "unset -v __hermes_n __hermes_script; $__hermes_script"';

const GOODBYE_MS = 1_000;

interface WaitingShell extends StartedShell {
  readonly key: string;
  readonly line: Socket;
  readonly gone: Promise<void>;
  /** It waits no longer: what it does is a command's. */
  begin(): void;
  isGone: boolean;
}

export function createSpareShell(): SpareShell {
  let waiting: WaitingShell | undefined;
  let preparing: Promise<void> | undefined;
  let isClosed = false;
  const start = async (launch: () => ProgramLaunch | Promise<ProgramLaunch>): Promise<void> => {
    if (isClosed || waiting?.isGone === false) return;
    const made = await launch();
    if (!isClosed) waiting = startWaiting(made);
  };
  const takeWaiting = (): WaitingShell | undefined => {
    const found = waiting;
    waiting = undefined;
    return found?.isGone === true ? undefined : found;
  };
  const sendAway = async (): Promise<void> => {
    const found = takeWaiting();
    if (found !== undefined) await dismiss(found);
  };
  return {
    prepare: (launch) =>
      (preparing ??= start(launch)
        .catch(() => undefined)
        .finally(() => (preparing = undefined))),
    take: async (wanted, script) => {
      await preparing;
      const found = takeWaiting();
      if (found === undefined) return undefined;
      if (found.key !== keyOf(wanted, script)) return void dismiss(found);
      found.begin();
      found.child.ref();
      for (const stream of found.child.stdio) if (stream instanceof Socket) stream.ref();
      found.line.write(`${Buffer.byteLength(script)}\n${script}`);
      return found;
    },
    sendAway,
    close: async () => {
      isClosed = true;
      await preparing;
      await sendAway();
    },
  };
}

function startWaiting(launch: ProgramLaunch): WaitingShell | undefined {
  const child = launchProgram(launch, ['ignore', 'pipe', 'pipe', 'pipe']);
  const [line] = child.stdio.slice(3);
  const forget = endGroupOnExit(child.pid);
  const gone = Promise.withResolvers<void>();
  const begin = markWaiting(child.pid);
  const waiting = { launch, child, key: keyOf(launch, WAIT_FOR_SCRIPT), gone: gone.promise, begin, isGone: false };
  const leave = () => {
    waiting.isGone = true;
    begin();
    forget();
    gone.resolve();
  };
  child.once('exit', leave);
  child.once('error', leave);
  if (!(line instanceof Socket)) return undefined;
  line.on('error', () => {}); // it has gone, which its exit tells
  // Neither it nor its pipes keep us.
  child.unref();
  for (const stream of child.stdio) if (stream instanceof Socket) stream.unref();
  return Object.assign(waiting, { line });
}

/** It ends with its line; one that does not is ended. */
async function dismiss({ launch, child, line, gone }: WaitingShell): Promise<void> {
  const timer = setTimeout(() => void endLaunched(launch, child.pid), GOODBYE_MS);
  child.ref();
  line.destroy();
  await gone.finally(() => clearTimeout(timer));
  for (const stream of child.stdio) stream?.destroy();
}

/** What makes two launches the same but for the script. A folder that was made anew is another one. */
const keyOf = ({ file, args, cwd, env }: ProgramLaunch, script: string): string =>
  JSON.stringify([file, args.map((word) => (word === script ? '' : word)), cwd, env, cwd === undefined ? undefined : inodeOf(cwd)]);
const inodeOf = (folder: string): number | undefined => statSync(folder, { throwIfNoEntry: false })?.ino;
