import { createKeyedQueue } from '../../../base/keyed-queue.ts';
import type { HeldChange } from '../../../contracts/wall.ts';
import type { GuardedFiles } from './guarded-files.ts';
import { createGuardWatcher } from './watcher.ts';

/** How long after the last command something it left behind is waited for, and how often it is looked whether that still runs. */
const IDLE_MS = 250;
const LEFT_MS = 2_000;

/** Hears of what was put back. */
type TellHeld = (changes: readonly HeldChange[]) => void;

/**
 * The time in which changes count as those of commands: from the first until nothing of them runs any more. Outside of it the
 * owner has changed what has changed. All sessions of this process in one folder share it: what one of them runs must not be
 * taken for the owner's work by another.
 */
export interface GuardWindow {
  /** A command begins. What it changes is put back at its end, and before that when it takes long. */
  begin(tell: TellHeld, endLeftBehind?: () => Promise<void>): RunningWindow;
  /** A tool of ours writes files. No look comes between: what it writes would be taken for the work of a command. */
  write(paths: readonly string[], work: () => Promise<void>): Promise<void>;
  /** The owner let commands write to another folder. */
  addRoot(path: string): void;
  /** The `PATH` of a session that shares it. */
  addPrograms(path: string): void;
  /** A session ends by this work, and then comes a last look: what still runs may write until it is over. */
  leave(tell: TellHeld, work: () => Promise<void>): Promise<void>;
}
export interface RunningWindow {
  /** Something has happened that is worth a look. */
  look(): void;
  end(): Promise<void>;
}
export interface GuardWindowOptions {
  readonly files: GuardedFiles;
  /** Whether something runs that commands left behind. */
  leftBehind?(): boolean;
}

export function createGuardWindow({ files, leftBehind }: GuardWindowOptions): GuardWindow {
  const inTurn = createKeyedQueue();
  const running = new Set<TellHeld>();
  let [isOpen, skipped] = [false, 0];
  let closing: NodeJS.Timeout | undefined;
  /** Whose command was the last: what is left behind is most likely its work. */
  let last: TellHeld = () => {};
  /** Ends what that command left behind. */
  let endLast: () => Promise<void> = async () => {};
  const look = (tell: TellHeld, isRunning = false): Promise<void> =>
    inTurn('look', async () => {
      const changes = await files.putBack(isRunning);
      if (changes.length > 0) tell(changes);
      // Nobody asked for it to go on, and the owner's next git would run what it writes.
      if (changes.length > 0 && running.size === 0) await endLast();
    });
  /** While git is in the middle of something, files are neither the old nor the new ones. Not for long: anybody can say so. */
  const lookAside = async (): Promise<void> => {
    skipped = files.isGitBusy() ? skipped + 1 : 0;
    if (skipped === 0 || skipped > MAX_SKIPPED) await look([...running].at(-1) ?? last, true);
  };
  const watcher = createGuardWatcher(() => files.watched(), lookAside);
  const tryToClose = async (): Promise<void> => {
    if (running.size > 0) return;
    const isLeft = leftBehind?.() === true;
    await look(last);
    if (running.size > 0) return;
    isOpen = isLeft;
    if (isLeft) closeLater(LEFT_MS);
    else watcher.stop();
  };
  const closeLater = (ms: number): void => {
    clearTimeout(closing);
    closing = setTimeout(() => void tryToClose(), ms).unref();
  };
  return {
    begin: (tell, endLeftBehind = async () => {}) => {
      clearTimeout(closing);
      if (!isOpen) files.accept();
      isOpen = true;
      // Each has a listener of its own, so that one that ends does not end another.
      const own: TellHeld = (changes) => tell(changes);
      running.add(own);
      watcher.start();
      return {
        look: watcher.soon,
        end: async () => {
          last = own;
          endLast = endLeftBehind;
          await look(own).finally(() => {
            running.delete(own);
            if (running.size === 0) closeLater(IDLE_MS);
          });
        },
      };
    },
    write: (paths, work) =>
      inTurn('look', async () => {
        await work();
        if (isOpen) for (const path of paths) files.acceptFile(path);
      }),
    addRoot: (path) => files.addRoot(path),
    addPrograms: (path) => files.addPrograms(path),
    leave: async (tell, work) => {
      const own: TellHeld = (changes) => tell(changes);
      running.add(own);
      await work().finally(() => running.delete(own));
      if (running.size === 0) watcher.stop();
      // No command has run: there is nothing to look at.
      if (!isOpen) return;
      await look(tell);
      if (running.size > 0) return;
      if (leftBehind?.() === true) return closeLater(LEFT_MS);
      clearTimeout(closing);
      isOpen = false;
    },
  };
}
/** Looks that are left out because git is busy. */
const MAX_SKIPPED = 10;

const SHARED = new Map<string, { readonly window: Promise<GuardWindow>; users: number }>();

/** The window of these folders, made by the first who asks; forgotten when the last has let it go. */
export function shareGuardWindow(
  key: string,
  open: () => Promise<GuardWindow>,
): { readonly window: Promise<GuardWindow>; release(): void } {
  const shared = SHARED.get(key) ?? { window: open(), users: 0 };
  shared.users += 1;
  SHARED.set(key, shared);
  const forget = (): void => void (SHARED.get(key) === shared && SHARED.delete(key));
  // The next who asks tries again.
  shared.window.catch(forget);
  return {
    window: shared.window,
    release: () => {
      if (--shared.users === 0) forget();
    },
  };
}
