import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../../../base/folders.ts';
import { randomHex } from '../../../base/ids.ts';

/** Files that were being written when their process ended have this ending. */
export const UNFINISHED = '.tmp';

/** Writes a new file so that its name is only ever seen with all of its bytes on the disk. The folder is the caller's to `settle`. */
export async function writeWhole(path: string, bytes: string | Uint8Array, mode = 0o600): Promise<void> {
  makeFolder(dirname(path));
  const beside = `${path}.${randomHex(12)}${UNFINISHED}`;
  try {
    const file = await open(beside, 'wx', mode);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** Makes names in a folder durable; where a system cannot, its files are still whole. */
export function syncFolder(folder: string): void {
  try {
    const file = openSync(folder, 'r');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch {}
}
