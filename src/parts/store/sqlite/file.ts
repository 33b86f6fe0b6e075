import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../../base/folders.ts';
import { StoreError } from '../../../contracts/session-store.ts';

/**
 * Makes sure that the file is there and only its owner can read it. Works by path alone: opening a live database file and
 * closing that descriptor would drop every lock this process has on it. SQLite gives its side files the same mode.
 */
export function prepareFile(path: string): void {
  try {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode;
    if (mode === undefined) createFile(path);
    else if ((mode & 0o077) !== 0) tryChmod(path, mode & 0o700);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new StoreError(
      'io',
      `Cannot create the session store ${path}: ${said}. Check that its folder exists and that you own it.`,
      error,
    );
  }
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
