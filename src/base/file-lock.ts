import { systemClock } from './clock.ts';
import {
  createHolder,
  FileLockError,
  lookAtHolderFile,
  makeHolderFolder,
  releaseHolderFile,
  takeHolderFile,
  type FileHolder,
} from './holder-file.ts';
import { resolveLinks } from './replace-file.ts';

export interface LockOptions {
  readonly signal?: AbortSignal;
  /** How long to wait for another holder. */
  readonly waitMs?: number;
}

/** Longer than many short holders in a row, shorter than a person's patience. */
const WAIT_MS = 10_000;
/** A holder on another machine cannot be asked whether it lives; no short work takes this long. */
const FAR_HOLDER_MS = 30_000;
const PAUSE_MS = { least: 4, most: 60 } as const;

/**
 * Runs short work while no other process does the same for this file. The lock is a file beside it, `<file>.lock`, that
 * names its holder; the lock of a process that is gone is taken over. Throws a `FileLockError` when it cannot be had.
 */
export async function withFileLock<Value>(path: string, work: () => Value | Promise<Value>, options: LockOptions = {}): Promise<Value> {
  const lock = `${resolveLinks(path)}.lock`;
  const mine = await acquire(lock, options);
  try {
    return await work();
  } finally {
    releaseHolderFile(lock, mine);
  }
}

async function acquire(lock: string, { signal = new AbortController().signal, waitMs = WAIT_MS }: LockOptions): Promise<FileHolder> {
  makeHolderFolder(lock);
  const mine = createHolder();
  const deadline = performance.now() + waitMs;
  for (let most = PAUSE_MS.least * 2; ; most = Math.min(PAUSE_MS.most, most * 1.5)) {
    if (signal.aborted) throw new FileLockError(`The wait for ${lock} was stopped; nothing was done.`, { cause: signal.reason });
    if (takeHolderFile(lock, mine, FAR_HOLDER_MS)) return mine;
    if (performance.now() >= deadline) throw new FileLockError(heldWords(lock, waitMs));
    // By chance, so that those who wait do not come back together.
    await systemClock.sleep(PAUSE_MS.least + Math.random() * (most - PAUSE_MS.least), signal);
  }
}

function heldWords(lock: string, waitMs: number): string {
  const holder = lookAtHolderFile(lock)?.holder;
  const who = holder === undefined ? 'somebody' : `process ${holder.pid} on ${holder.host}`;
  return `${lock} is held by ${who} and did not become free within ${Math.round(waitMs / 100) / 10} s. Nothing was done; try again, and delete the file if that process is gone.`;
}
