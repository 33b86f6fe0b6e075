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
  begin(): void;
  /** One that ran in the foreground is over. */
  end(tell: TellHeld): Promise<void>;
  /** One in the background is running, and looked after until `end`. */
  beginBackground(tell: TellHeld): { look(): void; end(): Promise<void> };
  /** A tool of ours has written a file. */
  wrote(path: string): void;
  /** A session has ended: a last look. */
  leave(tell: TellHeld): Promise<void>;
}
export interface GuardWindowOptions {
  readonly files: GuardedFiles;
  /** Whether something runs that commands left behind. */
  leftBehind?(): boolean;
}

export function createGuardWindow({ files, leftBehind }: GuardWindowOptions): GuardWindow {
  const inTurn = createKeyedQueue();
  const background = new Set<TellHeld>();
  let [running, isOpen] = [0, false];
  let closing: NodeJS.Timeout | undefined;
  /** Whose command was the last: what is left behind is most likely its work. */
  let last: TellHeld = () => {};
  const look = (tell: TellHeld): Promise<void> =>
    inTurn('look', async () => {
      const changes = await files.putBack();
      if (changes.length > 0) tell(changes);
    });
  const lookAside = (): Promise<void> => look([...background].at(-1) ?? last);
  const watcher = createGuardWatcher(() => files.watched(), lookAside);
  const tryToClose = async (): Promise<void> => {
    if (running > 0) return;
    const isLeft = leftBehind?.() === true;
    await lookAside();
    if (running > 0) return;
    if (isLeft) closeLater(LEFT_MS);
    else isOpen = false;
  };
  const closeLater = (ms: number): void => {
    clearTimeout(closing);
    closing = setTimeout(() => void tryToClose(), ms).unref();
  };
  const begin = (): void => {
    clearTimeout(closing);
    if (!isOpen) files.accept();
    isOpen = true;
    running += 1;
  };
  const end = async (tell: TellHeld): Promise<void> => {
    last = tell;
    await look(tell).finally(() => {
      running -= 1;
      if (running === 0) closeLater(IDLE_MS);
    });
  };
  return {
    begin,
    end,
    beginBackground: (tell) => {
      begin();
      // Each has a listener of its own, so that one that ends does not end another.
      const own: TellHeld = (changes) => tell(changes);
      background.add(own);
      watcher.start();
      return {
        look: watcher.soon,
        end: async () => {
          background.delete(own);
          if (background.size === 0) watcher.stop();
          await end(tell);
        },
      };
    },
    wrote: (path) => void (isOpen && files.acceptFile(path)),
    leave: async (tell) => {
      if (isOpen) await look(tell);
    },
  };
}

const SHARED = new Map<string, { readonly window: Promise<GuardWindow>; users: number }>();

/** The window of these folders, made by the first who asks; forgotten when the last has let it go. */
export function shareGuardWindow(
  key: string,
  open: () => Promise<GuardWindow>,
): { readonly window: Promise<GuardWindow>; release(): void } {
  const shared = SHARED.get(key) ?? { window: open(), users: 0 };
  shared.users += 1;
  SHARED.set(key, shared);
  return {
    window: shared.window,
    release: () => {
      if (--shared.users === 0 && SHARED.get(key) === shared) SHARED.delete(key);
    },
  };
}
