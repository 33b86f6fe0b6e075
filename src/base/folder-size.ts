import { lstatSync, opendirSync } from 'node:fs';
import { join } from 'node:path';
import { breathe } from './breathe.ts';
import { isMissing, toErrorMessage } from './errors.ts';

const FILES_AT_A_TIME = 500;
const BLOCK = 512;

/** What a folder takes on the disk. */
export interface FolderSize {
  readonly bytes: number;
  readonly files: number;
  /** A folder nobody can look into: it may hold anything. */
  readonly unreadable?: string;
}

/** Counts blocks, so that a hole costs nothing and a file with two names counts once. Stops where the answer is known. */
export async function measureFolder(folder: string, most: Pick<FolderSize, 'bytes' | 'files'>): Promise<FolderSize> {
  const open = [folder];
  const linked = new Set<number>();
  let [bytes, files, unreadable] = [0, 0, ''];
  const isWithin = (): boolean => bytes <= most.bytes && files <= most.files;
  const count = (path: string): void => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || linked.has(found.ino)) return;
    if (found.nlink > 1 && !found.isDirectory()) linked.add(found.ino);
    bytes += found.blocks * BLOCK;
    if (found.isDirectory()) open.push(path);
  };
  for (let path = open.pop(); path !== undefined && isWithin(); path = open.pop())
    try {
      using entries = opendirSync(path);
      for (let entry = entries.readSync(); entry !== null && isWithin(); entry = entries.readSync()) {
        files += 1;
        count(join(path, entry.name));
        if (files % FILES_AT_A_TIME === 0) await breathe();
      }
    } catch (error) {
      // It went while it was looked at.
      if (!isMissing(error)) unreadable = toErrorMessage(error);
    }
  return { bytes, files, ...(unreadable !== '' && { unreadable }) };
}
