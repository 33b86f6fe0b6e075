import { realPath } from '../../../base/real-path.ts';
import type { Files } from '../../../contracts/files.ts';
import type { RunningProcess, RunOptions, RunResult, StartOptions, Terminal } from '../../../contracts/terminal.ts';
import type { HeldChange } from '../../../contracts/wall.ts';
import type { Wall } from '../../../contracts/terminal.ts';
import type { GuardWindow } from './window.ts';

export interface GuardedTerminalOptions {
  /** Opened with the first command. */
  open(): Promise<GuardWindow>;
  /** The terminal has been closed. */
  close(): void;
  /** What a file of the terminal is called on this machine. */
  toPathHere(path: string): string;
  /** Something was put back while no command ran in the foreground: the next one tells of it. */
  onHeld(change: HeldChange): void;
}

/** A terminal whose commands change nothing that runs or instructs by itself later, unless the owner agrees: `held` tells of it. */
export function createGuardedTerminal(terminal: Terminal, options: GuardedTerminalOptions): Terminal {
  const { open, close, toPathHere, onHeld } = options;
  const held = createHeldList(onHeld);
  let opening: Promise<GuardWindow> | undefined;
  let isClosed = false;
  /** One that could not be opened is tried again with the next command. */
  const opened = (): Promise<GuardWindow> =>
    (opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    }));
  /** All processes of a sandbox; the next command finds it made anew, with its files. */
  const endAllInside = async (): Promise<void> => {
    if (!isClosed) await terminal.wall?.endInside();
  };
  const run = async (work: () => Promise<RunResult>): Promise<RunResult> => runBelow(await opened(), work, held, endAllInside);
  const start = async (work: () => Promise<RunningProcess>): Promise<RunningProcess> => startBelow(await opened(), work, held);
  const guardWall = (wall: Wall): Wall => ({
    ...wall,
    runOutside: (command: string, given: RunOptions) => run(() => wall.runOutside(command, given)),
    startOutside: (command: string, given: StartOptions) => start(() => wall.startOutside(command, given)),
    grant: async (grant) => {
      if (grant.type === 'write') (await opened()).addRoot(realPath(grant.path) ?? grant.path);
      await wall.grant(grant);
    },
  });
  return {
    ...terminal,
    get cwd() {
      return terminal.cwd;
    },
    get wall() {
      return terminal.wall === undefined ? undefined : guardWall(terminal.wall);
    },
    files: createGuardedFileTools(terminal.files, async (paths, work) => {
      const window = await opening;
      return window === undefined ? work() : window.write(paths.map(toPathHere), work);
    }),
    prepare: async (expected) => void (await Promise.all([terminal.prepare?.(expected), isClosed ? undefined : opened()])),
    run: (command, given) => run(() => terminal.run(command, given)),
    start: (command, given) => start(() => terminal.start(command, given)),
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      const window = await opening?.catch(() => undefined);
      const end = async (): Promise<void> => terminal[Symbol.asyncDispose]();
      await (window === undefined ? end() : window.leave(held.hearAside, end));
      close();
    },
  };
}

/** What was put back and not told yet. */
interface HeldList {
  hear(changes: readonly HeldChange[]): void;
  /** The same where no command in the foreground will tell of it. */
  hearAside(changes: readonly HeldChange[]): void;
  take(): readonly HeldChange[];
}
function createHeldList(onHeld: (change: HeldChange) => void): HeldList {
  const pending = new Map<string, HeldChange>();
  const hear = (changes: readonly HeldChange[]): void => {
    for (const change of changes) pending.set(change.path, change);
  };
  return {
    hear,
    hearAside: (changes) => {
      for (const change of changes) if (!pending.has(change.path)) onHeld(change);
      hear(changes);
    },
    take: () => {
      const held = [...pending.values()];
      pending.clear();
      return held;
    },
  };
}

async function runBelow(
  window: GuardWindow,
  work: () => Promise<RunResult>,
  list: HeldList,
  endLeftBehind: () => Promise<void>,
): Promise<RunResult> {
  let isOver = false;
  const command = window.begin((changes) => (isOver ? list.hearAside : list.hear)(changes), endLeftBehind);
  try {
    const result = await work();
    await command.end();
    isOver = true;
    const held = list.take();
    return held.length === 0 ? result : { ...result, held };
  } catch (error) {
    await command.end();
    throw error;
  }
}

async function startBelow(window: GuardWindow, work: () => Promise<RunningProcess>, list: HeldList): Promise<RunningProcess> {
  const background = window.begin(list.hearAside);
  try {
    const running = await work();
    const stop = running.onOutput(background.look);
    // Whoever waits for its end finds everything put back.
    const exited = running.exited.then(async (code) => {
      stop();
      await background.end();
      return code;
    });
    return { ...running, exited };
  } catch (error) {
    await background.end();
    throw error;
  }
}

/** What tools write was asked about before, and is not the work of a command that happens to run. */
const createGuardedFileTools = (files: Files, writing: (paths: readonly string[], work: () => Promise<void>) => Promise<void>): Files => ({
  ...files,
  get home() {
    return files.home;
  },
  write: (path, bytes) => writing([path], () => files.write(path, bytes)),
  rename: (from, to) => writing([from, to], () => files.rename(from, to)),
  remove: (path) => writing([path], () => files.remove(path)),
});
