import { closeSync, fstatSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { toErrorMessage } from './errors.ts';
import { makeFolder } from './folders.ts';
import { randomHex } from './ids.ts';
import type { JsonObject } from './json-types.ts';
import { isObject, parseJson } from './json.ts';
import { identifyOwnProcess, isAlive, isNear, type ProcessIdentity } from './process-identity.ts';

/** Whose a thing is, as a file says it; the token tells one holding from the next. */
export interface FileHolder extends ProcessIdentity {
  readonly token: string;
  /** What it says of itself besides. */
  readonly facts: JsonObject;
}
export interface HolderFileState {
  readonly token: string;
  /** Absent in a file that is empty or cut off. */
  readonly holder?: FileHolder;
  readonly touchedAt: number;
  readonly ageMs: number;
}
/** Such a file could not be made or read, or was not to be had; the words say why and what to do. */
export class FileLockError extends Error {
  readonly code = 'file_lock';
}

/** A file is filled in the breath that makes it: one that stays empty lost its maker in between. */
const EMPTY_MS = 2_000;

export const createHolder = (facts: JsonObject = {}): FileHolder => ({
  ...identifyOwnProcess(),
  token: `${process.pid}-${randomHex(12)}`,
  facts,
});

/** Such a file needs its folder first. */
export function makeHolderFolder(path: string): void {
  try {
    makeFolder(dirname(path));
  } catch (error) {
    throw cannotMake(path, error);
  }
}
const cannotMake = (path: string, cause: unknown): FileLockError =>
  new FileLockError(`${path} could not be made: ${toErrorMessage(cause)}. Its folder must be writable for you and not full.`, { cause });

/**
 * Makes the file, in the name of this process, if nobody has it: the file of a process that is gone is taken over. A holder on
 * another machine cannot be asked whether it lives; one whose file is older than `farMs` is gone.
 */
export function takeHolderFile(path: string, mine: FileHolder, farMs: number): boolean {
  if (make(path, mine)) return true;
  const found = lookAtHolderFile(path);
  if (found === undefined || !isGone(found, farMs)) return false;
  clearHolderFile(path, found.token, farMs);
  return make(path, mine);
}

/**
 * Removes the file of a holder under a file named for its token. Two heirs may see the same stale file; without this the slower
 * one would remove the file the quicker one has just made. An heir that dies here leaves a stale file like any other.
 */
export function clearHolderFile(path: string, token: string, farMs: number): void {
  const right = `${path}.${token}`;
  const mine = createHolder();
  if (!takeHolderFile(right, mine, farMs)) return;
  try {
    if (lookAtHolderFile(path)?.token === token) rmSync(path, { force: true });
  } finally {
    releaseHolderFile(right, mine);
  }
}

/** Only ever one's own file. Trouble here must not make work that is done look undone: what is held ends with its process. */
export function releaseHolderFile(path: string, mine: FileHolder): void {
  try {
    if (lookAtHolderFile(path)?.token === mine.token) rmSync(path, { force: true });
  } catch {}
}

export function isGone({ holder, ageMs }: HolderFileState, farMs: number): boolean {
  if (holder === undefined) return ageMs > EMPTY_MS;
  return isNear(holder) ? !isAlive(holder) : ageMs > farMs;
}

export function lookAtHolderFile(path: string): HolderFileState | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      const { ino, mtimeMs } = fstatSync(file);
      const holder = readHolder(readFileSync(file, 'utf8'));
      // A clock that was set back makes files of the future; they too grow old.
      const ageMs = Math.abs(Date.now() - mtimeMs);
      const times = { touchedAt: mtimeMs, ageMs };
      return holder === undefined ? { token: `empty-${ino}-${mtimeMs}`, ...times } : { token: holder.token, holder, ...times };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new FileLockError(`${path} could not be read: ${toErrorMessage(error)}. Delete it when no other hermes is running.`, {
      cause: error,
    });
  }
}

function make(path: string, mine: FileHolder): boolean {
  try {
    fill(openSync(path, 'wx', 0o600), path, mine);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw cannotMake(path, error);
  }
  // Whoever sleeps long between making and filling it may have been taken for dead.
  return lookAtHolderFile(path)?.token === mine.token;
}

function fill(file: number, path: string, { facts, ...holder }: FileHolder): void {
  try {
    writeFileSync(file, `${JSON.stringify({ ...facts, ...holder }, undefined, 2)}\n`);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

function readHolder(text: string): FileHolder | undefined {
  const value = parseJson(text);
  if (!isObject(value)) return undefined;
  const { pid, host, space, started, token, ...facts } = value;
  const isWhole = typeof host === 'string' && typeof space === 'string' && typeof started === 'string';
  // The token becomes part of a file's name.
  return isWhole && typeof pid === 'number' && typeof token === 'string' && /^[\w-]+$/.test(token)
    ? { pid, host, space, started, token, facts }
    : undefined;
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
