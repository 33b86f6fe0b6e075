import type { DetachedProcessRecord, RunningProcess, StartOptions } from '../../../contracts/terminal.ts';
import { openListener, createResumedListener } from '../process/output-listener.ts';
import {
  createCloseInputScript,
  resolveProcessFiles,
  createFollowScript,
  createRemovalScript,
  readFollowed,
  readStarted,
  createStartScript,
  createInputScript,
} from './background.ts';
import { createEndScript } from '../process/end-script.ts';
import { createCommandId } from '../process/lineage.ts';
import { encodeScriptInput, LineError, type RemoteShell } from '../line/line.ts';
import { sendRemote } from '../line/run.ts';

export interface FarStart {
  readonly kind: string;
  readonly command: string;
  /** The command in its wrapper. */
  readonly script: string;
  /** What tells the place from others of its kind and from itself after it was made anew. */
  readonly identity: DetachedProcessRecord['identity'];
}

export interface RemoteProcess extends RunningProcess {
  /** The line is about to close: it goes on there, and is not listened to any more. */
  letGo(): void;
}

/** Starts a command that goes on without the line and without us. Throws when it could not be started. */
export async function startRemote(
  line: RemoteShell,
  { kind, command, script, identity }: FarStart,
  options: StartOptions,
): Promise<RemoteProcess> {
  const mark = createCommandId();
  const { output, words } = await answerOf(line, createStartScript(mark), script);
  const started = readStarted(output);
  if (started === undefined) {
    throw new LineError(
      words ??
        `${line.name} could not start the command in the background: ${output.trim() || 'it said nothing'}. Its temporary folder must be writable and not full.`,
    );
  }
  const { folder, pid, keeper } = started;
  return followRemote(
    line,
    { backend: kind, pid, command, startedAt: Date.now(), ...resolveProcessFiles(folder), identity: { ...identity, keeper, mark } },
    options,
  );
}

async function answerOf(
  line: RemoteShell,
  script: string,
  stdin: string,
): Promise<{ readonly output: string; readonly words: string | undefined }> {
  let output = '';
  const hear = (bytes: Buffer) => (output += bytes.toString());
  const words = await line.exec(encodeScriptInput(script, stdin), { output: hear, told: hear }).over;
  return { output, words };
}

export interface FarFollowing {
  /** Lines of its output that were heard in an earlier run. */
  readonly heard?: number;
  /** Waiting for its end does not keep our own process alive. */
  readonly unheld?: true;
  /** Hears of its end. */
  over?(): void;
}

/** A process known by its files there. The way back to it may break and is taken again as often as needed. */
export function followRemote(
  line: RemoteShell,
  trace: DetachedProcessRecord,
  options: StartOptions,
  following: FarFollowing = {},
): RemoteProcess {
  const heard = openListener(options);
  const { take } = createResumedListener(heard, following.heard ?? 0);
  const watch = watching(reading(line, trace, take), following.unheld !== true, (code) => {
    heard.finish(code);
    following.over?.();
  });
  const queue = inOrder();
  return {
    pid: trace.pid,
    command: trace.command,
    startedAt: trace.startedAt,
    trace,
    ...heard.told,
    write: (data) => queue(async () => void (await line.exec(encodeScriptInput(createInputScript(trace), data), DEAF).over)),
    end: () => queue(async () => void (await sendRemote(line, createCloseInputScript(trace)))),
    kill: async () => {
      if (watch.code() !== undefined) return;
      await sendRemote(line, createEndScript(trace.pid, String(trace.identity['mark'])));
      // The news of it takes the way of all news; a line that stays silent must not hold whoever closes up.
      await Promise.race([watch.exited(), later(KILL_MS)]);
      watch.stop();
    },
    letGo: watch.letGo,
    get exited() {
      return watch.exited();
    },
  };
}
const DEAF = { output: () => {}, told: () => {} };
const KILL_MS = 3_000;
const later = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref());

/** What is written first arrives first. */
function inOrder(): (work: () => Promise<void>) => void {
  let last = Promise.resolve();
  return (work) => void (last = last.then(work, work));
}

/** Milliseconds between tries to find the way back. The last one is for as long as it takes. */
const WAITS = [100, 500, 1_000, 2_000, 5_000, 10_000] as const;

interface RemoteWatch {
  code(): number | undefined;
  /** Whoever waits for the end keeps us alive until it is there. */
  exited(): Promise<number>;
  /** Nobody listens any more, and how it ends stays unknown here. */
  letGo(): void;
  /** The same, and it counts as ended. */
  stop(): void;
}

function watching(log: ReturnType<typeof reading>, held: boolean, over: (code: number) => void): RemoteWatch {
  const exited = Promise.withResolvers<number>();
  let code: number | undefined;
  let awake: NodeJS.Timeout | undefined;
  const finish = (exitCode: number) => {
    clearInterval(awake);
    if (code !== undefined) return;
    code = exitCode;
    over(code);
    exited.resolve(code);
  };
  void log.end.then((exitCode) => exitCode !== undefined && finish(exitCode));
  return {
    code: () => code,
    exited: () => {
      if (held && code === undefined) awake ??= setInterval(() => {}, 60_000);
      return exited.promise;
    },
    letGo: () => (clearInterval(awake), log.stop()),
    stop: () => (log.stop(), finish(-1)),
  };
}

/** Reads the log to its end, on as many lines as it takes. */
function reading(line: RemoteShell, trace: DetachedProcessRecord, hear: (bytes: Buffer) => void) {
  const state = { stopped: false, release: () => {} };
  let at = 0;
  const take = (bytes: Buffer) => {
    if (state.stopped) return;
    at += bytes.length;
    hear(bytes);
  };
  const follow = async (): Promise<number | undefined> => {
    for (let failures = 0; !state.stopped;) {
      const end = await followOnce(line, createFollowScript(trace, at), take, state);
      if (end === 'gone') return -1;
      // A log that is longer than what has been heard was cut off on the way.
      if (end !== undefined && at >= end.size) {
        // Before its end is told: whoever hears of it may close the line.
        await sendRemote(line, createRemovalScript(trace));
        return end.code;
      }
      await later(WAITS[Math.min(failures++, WAITS.length - 1)] ?? 0);
    }
    return undefined;
  };
  return { end: follow(), stop: () => ((state.stopped = true), state.release()) };
}

async function followOnce(
  line: RemoteShell,
  script: string,
  take: (bytes: Buffer) => void,
  state: { release: () => void },
): Promise<ReturnType<typeof readFollowed>> {
  let told = '';
  const exec = line.exec(encodeScriptInput(script), { output: take, told: (bytes) => (told += bytes.toString()) });
  exec.unref?.();
  state.release = exec.release;
  await exec.over;
  return readFollowed(told);
}
