import { watch, type FSWatcher } from 'node:fs';
import { createKeyedQueue } from '../../../base/keyed-queue.ts';
import type { HeldChange } from '../../../contracts/wall.ts';
import type { GuardedFiles } from './guarded-files.ts';

/** How long after the last command something it left behind is waited for, and how often it is looked whether that still runs. */
const IDLE_MS = 250;
const LEFT_MS = 2_000;
/** How often it is looked while a process runs in the background, and how soon after a sign of a change. */
const SLOW_MS = 3_000;
const SOON_MS = 150;

export interface GuardWindowOptions {
  readonly files: GuardedFiles;
  /** Whether something runs that commands left behind. */
  leftBehind?(): boolean;
  /** Something was put back that no result of a command tells of. */
  onHeld(change: HeldChange): void;
}

/**
 * The time in which changes count as those of commands: from the first until nothing of them runs any more. Outside of it the
 * owner has changed what has changed.
 */
export interface GuardWindow {
  begin(): void;
  /** One that ran in the foreground is over: what was put back since the last time. */
  end(): Promise<readonly HeldChange[]>;
  /** One in the background is running, and looked after until the function given is called. */
  beginBackground(): { look(): void; end(): Promise<void> };
  /** A tool of ours has written a file. */
  wrote(path: string): void;
  /** A last look. Nothing is watched any more. */
  close(): Promise<void>;
}

export function createGuardWindow({ files, leftBehind, onHeld }: GuardWindowOptions): GuardWindow {
  const inTurn = createKeyedQueue();
  const pending = new Map<string, HeldChange>();
  let [running, background, isOpen] = [0, 0, false];
  let closing: NodeJS.Timeout | undefined;
  const look = (isTold: boolean): Promise<void> =>
    inTurn('look', async () => {
      for (const change of await files.putBack()) {
        if (!isTold && !pending.has(change.path)) onHeld(change);
        pending.set(change.path, change);
      }
    });
  const watcher = createWatcher(files, () => void look(false));
  const closeLater = (ms: number): void => {
    clearTimeout(closing);
    closing = setTimeout(() => void tryToClose(), ms).unref();
  };
  const tryToClose = async (): Promise<void> => {
    if (running > 0) return;
    const isLeft = leftBehind?.() === true;
    await look(false);
    if (running > 0) return;
    if (isLeft) closeLater(LEFT_MS);
    else isOpen = false;
  };
  const begin = (): void => {
    clearTimeout(closing);
    if (!isOpen) files.accept();
    isOpen = true;
    running += 1;
  };
  const over = (): void => {
    running -= 1;
    if (running === 0) closeLater(IDLE_MS);
  };
  return {
    begin,
    end: async () => {
      await look(true).finally(over);
      const held = [...pending.values()];
      pending.clear();
      return held;
    },
    beginBackground: () => {
      begin();
      if (background++ === 0) watcher.start();
      return {
        look: watcher.soon,
        end: async () => {
          if (--background === 0) watcher.stop();
          await look(false).finally(over);
        },
      };
    },
    wrote: (path) => void (isOpen && files.acceptFile(path)),
    close: async () => {
      clearTimeout(closing);
      watcher.stop();
      if (isOpen) await look(false);
    },
  };
}

/** Looks now and then, and soon after a folder that matters has changed. */
function createWatcher(files: GuardedFiles, look: () => void): { start(): void; stop(): void; soon(): void } {
  let watchers: readonly FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  let next: NodeJS.Timeout | undefined;
  const soon = (): void => {
    next ??= setTimeout(() => {
      next = undefined;
      look();
    }, SOON_MS).unref();
  };
  return {
    soon,
    start: () => {
      timer = setInterval(look, SLOW_MS).unref();
      watchers = files.watched().flatMap((folder) => watchFolder(folder, soon));
    },
    stop: () => {
      clearInterval(timer);
      clearTimeout(next);
      next = undefined;
      for (const each of watchers) each.close();
      watchers = [];
    },
  };
}

/** Where it cannot be had the timer is enough. */
function watchFolder(folder: string, heard: () => void): readonly FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, heard);
    watcher.on('error', () => watcher.close());
    return [watcher];
  } catch {
    return [];
  }
}
