import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Db } from './database/db.ts';

/** What writers of one moment did is looked at once. */
const SETTLE_MS = 5;
/** Where the system does not tell of changes to files (a network drive), this is how late they are seen. */
const LOOK_MS = 2000;

/** Tells when another connection has written to the store. The log that writers append to is watched; SQLite knows whether it was us. */
export function watchWriters(db: Db, tell: () => void): Disposable {
  let [seen, timer]: [number | undefined, NodeJS.Timeout | undefined] = [readDataVersion(db), undefined];
  const look = async (): Promise<void> => {
    timer = undefined;
    // A store that cannot be read now is looked at again.
    const now = await db.read('look for changes', () => readDataVersion(db)).catch(() => undefined);
    if (now === undefined || now === seen) return;
    seen = now;
    tell();
  };
  const soon = (): void => void (timer ??= setTimeout(() => void look(), SETTLE_MS));
  const watcher = watchFile(`${db.path}-wal`, soon);
  const regular = setInterval(() => void look(), LOOK_MS);
  return {
    [Symbol.dispose]: () => {
      watcher?.close();
      clearInterval(regular);
      clearTimeout(timer);
    },
  };
}

const readDataVersion = (db: Db): number | undefined => db.get<{ data_version: number }>('PRAGMA data_version')?.data_version;

/** Watched by its folder: a repair puts another file in its place. */
function watchFile(path: string, changed: () => void): { close(): void } | undefined {
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_event, name) => {
      if (name === basename(path)) changed();
    });
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    // The system gives no more watches; the regular look is left.
    return undefined;
  }
}
