import { watch, type FSWatcher } from 'node:fs';

/** Most commands are over before anything is watched. */
const START_MS = 300;
/** How often it is looked, and how soon after a sign of a change. */
const SLOW_MS = 3_000;
const SOON_MS = 400;

export interface GuardWatcher {
  start(): void;
  stop(): void;
  /** Something has happened that is worth a look. */
  soon(): void;
}

/** Looks now and then, and soon after a folder that matters has changed. Keeps no process alive. */
export function createGuardWatcher(folders: () => readonly string[], look: () => Promise<void>): GuardWatcher {
  let watchers: readonly FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  let next: NodeJS.Timeout | undefined;
  const soon = (): void => {
    next ??= setTimeout(() => {
      next = undefined;
      void look();
    }, SOON_MS).unref();
  };
  return {
    soon,
    start: () => {
      timer ??= setTimeout(() => {
        watchers = folders().flatMap((folder) => watchFolder(folder, soon));
        timer = setInterval(() => void look(), SLOW_MS).unref();
        soon();
      }, START_MS).unref();
    },
    stop: () => {
      clearInterval(timer);
      clearTimeout(next);
      [timer, next] = [undefined, undefined];
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
