import { closeSync, fstatSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { resolveLinks } from './replace-file.ts';
import { systemClock } from './clock.ts';
import { toErrorMessage } from './errors.ts';
import { makeFolder } from './folders.ts';
import { randomHex } from './ids.ts';
import { isObject, parseJson } from './json.ts';
import { isAlive, isNear, identifyOwnProcess, type ProcessIdentity } from './process-identity.ts';

export interface LockOptions {
  readonly signal?: AbortSignal;
  /** How long to wait for another holder. */
  readonly waitMs?: number;
}
/** The lock was not to be had; the words say who holds it and what to do. */
export class FileLockError extends Error {
  readonly code = 'file_lock';
}

/** Longer than many short holders in a row, shorter than a person's patience. */
const WAIT_MS = 10_000;
/** A holder on another machine cannot be asked whether it lives; no short work takes this long. */
const FAR_HOLDER_MS = 30_000;
/** A lock is filled in the breath that makes it: one that stays empty lost its maker in between. */
const EMPTY_MS = 2_000;
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
    release(lock, mine);
  }
}

async function acquire(lock: string, { signal = new AbortController().signal, waitMs = WAIT_MS }: LockOptions): Promise<LockHolder> {
  prepareFolder(lock);
  const mine = newHolder();
  const deadline = performance.now() + waitMs;
  for (let most = PAUSE_MS.least * 2; ; most = Math.min(PAUSE_MS.most, most * 1.5)) {
    if (signal.aborted) throw new FileLockError(`The wait for ${lock} was stopped; nothing was done.`, { cause: signal.reason });
    if (take(lock, mine)) return mine;
    if (performance.now() >= deadline) throw new FileLockError(heldWords(lock, waitMs));
    // By chance, so that those who wait do not come back together.
    await systemClock.sleep(PAUSE_MS.least + Math.random() * (most - PAUSE_MS.least), signal);
  }
}

function take(lock: string, mine: LockHolder): boolean {
  if (make(lock, mine)) return true;
  const found = look(lock);
  if (found === undefined || !isStale(found)) return false;
  clearAway(lock, found.token);
  return make(lock, mine);
}

/**
 * Removes a stale lock under a lock named for its token. Two heirs may see the same stale lock; without this the slower
 * one would remove the lock the quicker one has just made. An heir that dies here leaves a stale lock like any other.
 */
function clearAway(lock: string, token: string): void {
  const right = `${lock}.${token}`;
  const mine = newHolder();
  if (!take(right, mine)) return;
  try {
    if (look(lock)?.token === token) rmSync(lock, { force: true });
  } finally {
    release(right, mine);
  }
}

function make(lock: string, mine: LockHolder): boolean {
  try {
    fill(openSync(lock, 'wx', 0o600), lock, mine);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw cannotMake(lock, error);
  }
  // Whoever sleeps long between making and filling it may have been taken for dead.
  return look(lock)?.token === mine.token;
}

function fill(file: number, lock: string, mine: LockHolder): void {
  try {
    writeFileSync(file, JSON.stringify(mine));
  } catch (error) {
    rmSync(lock, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

function prepareFolder(lock: string): void {
  try {
    makeFolder(dirname(lock));
  } catch (error) {
    throw cannotMake(lock, error);
  }
}
const cannotMake = (lock: string, cause: unknown): FileLockError =>
  new FileLockError(`${lock} could not be made: ${toErrorMessage(cause)}. Its folder must be writable for you and not full.`, { cause });

/** Only ever one's own lock. Trouble here must not make work that is done look undone: the lock ends with its process. */
function release(lock: string, mine: LockHolder): void {
  try {
    if (look(lock)?.token === mine.token) rmSync(lock, { force: true });
  } catch {}
}

interface LockState {
  readonly token: string;
  /** Absent in a lock that is empty or cut off. */
  readonly holder?: LockHolder;
  readonly ageMs: number;
}

function look(lock: string): LockState | undefined {
  try {
    const file = openSync(lock, 'r');
    try {
      const { ino, mtimeMs } = fstatSync(file);
      const holder = holderIn(readFileSync(file, 'utf8'));
      // A clock that was set back makes files of the future; they too grow old.
      const ageMs = Math.abs(Date.now() - mtimeMs);
      return holder === undefined ? { token: `empty-${ino}-${mtimeMs}`, ageMs } : { token: holder.token, holder, ageMs };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new FileLockError(`${lock} could not be read: ${toErrorMessage(error)}. Delete it when no other hermes is running.`, {
      cause: error,
    });
  }
}

function isStale({ holder, ageMs }: LockState): boolean {
  if (holder === undefined) return ageMs > EMPTY_MS;
  return isNear(holder) ? !isAlive(holder) : ageMs > FAR_HOLDER_MS;
}

function heldWords(lock: string, waitMs: number): string {
  const holder = look(lock)?.holder;
  const who = holder === undefined ? 'somebody' : `process ${holder.pid} on ${holder.host}`;
  return `${lock} is held by ${who} and did not become free within ${Math.round(waitMs / 100) / 10} s. Nothing was done; try again, and delete the file if that process is gone.`;
}

/** Who holds a lock; the token tells one holding from the next. */
interface LockHolder extends ProcessIdentity {
  readonly token: string;
}
const newHolder = (): LockHolder => ({ ...identifyOwnProcess(), token: `${process.pid}-${randomHex(12)}` });

function holderIn(text: string): LockHolder | undefined {
  const value = parseJson(text);
  if (!isObject(value)) return undefined;
  const { pid, host, space, started, token } = value;
  const whole = typeof host === 'string' && typeof space === 'string' && typeof started === 'string';
  // The token becomes part of a file's name.
  return whole && typeof pid === 'number' && typeof token === 'string' && /^[\w-]+$/.test(token)
    ? { pid, host, space, started, token }
    : undefined;
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
