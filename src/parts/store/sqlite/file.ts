import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../../../base/folders.ts';
import { isStoreError, StoreError } from '../../../contracts/session-store.ts';

/**
 * Makes sure that the file is there and only its owner can read it. Works by path alone: opening a live database file and
 * closing that descriptor would drop every lock this process has on it. SQLite gives its side files the same mode.
 */
export function prepareFile(path: string): void {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    const mode = found?.mode;
    if (found === undefined || found.size === 0) refuseEmptied(path, found === undefined);
    if (mode === undefined) createFile(path);
    else if ((mode & 0o077) !== 0) tryChmod(path, mode & 0o700);
  } catch (error) {
    if (isStoreError(error)) throw error;
    const said = error instanceof Error ? error.message : String(error);
    throw new StoreError(
      'io',
      `Cannot create the session store ${path}: ${said}. Check that its folder exists and that you own it.`,
      error,
    );
  }
}

/**
 * A store is never empty beside its log or its copies: the file was cut off, or replaced. A new store there would hide the sessions that
 * are left. Without the file, copies alone are what a person keeps who began anew.
 */
function refuseEmptied(path: string, isMissing: boolean): void {
  const folder = dirname(path);
  if (!existsSync(folder)) return;
  const left = readdirSync(folder).filter((name) => {
    const end = name.startsWith(basename(path)) ? name.slice(basename(path).length) : '';
    return (end === '-wal' || (!isMissing && /^\.(?:version|corrupt)-[\w.]+$/u.test(end))) && statSync(join(folder, name)).size > 0;
  });
  if (left.length === 0) return;
  throw new StoreError(
    'io',
    `The session store ${path} is ${isMissing ? 'gone' : 'empty'}, but ${left.join(', ')} beside it ${left.length === 1 ? 'is' : 'are'} not. Nothing was changed. To go on with a copy, copy it to ${path}. To start without the old sessions, move ${isMissing ? 'the rest' : 'all of them'} to another folder.`,
  );
}

function createFile(path: string): void {
  makeFolder(dirname(path));
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    // Another process was quicker; its file is as good.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** A file of another user can be readable for us; its mode is theirs to choose. */
function tryChmod(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch {
    return;
  }
}
