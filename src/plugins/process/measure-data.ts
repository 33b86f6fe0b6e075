import { lstatSync, opendirSync } from 'node:fs';
import { join } from 'node:path';
import { breathe } from '../../base/breathe.ts';
import { isMissing, toErrorMessage } from '../../base/errors.ts';

/** So many files take a disk's table of files as bytes take its room. */
export const MAX_DATA_FILES = 20_000;
const FILES_AT_A_TIME = 500;
const BLOCK = 512;

/** What a plugin's data folder takes on the disk. */
export interface DataSize {
  readonly bytes: number;
  readonly files: number;
  /** A folder nobody can look into: it may hold anything. */
  readonly unreadable?: string;
}

/** Counts blocks, so that a hole costs nothing and a file with two names counts once. Stops where the answer is known. */
export async function measureData(folder: string, mostBytes: number): Promise<DataSize> {
  const open = [folder];
  const linked = new Set<number>();
  let [bytes, files] = [0, 0];
  const isWithin = (): boolean => bytes <= mostBytes && files <= MAX_DATA_FILES;
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
      if (!isMissing(error)) return { bytes, files, unreadable: toErrorMessage(error) };
    }
  return { bytes, files };
}

export interface FullData {
  readonly problem: string;
  readonly fix: string;
}
/** What is wrong with it and what to do; nothing while it is within its bounds. */
export function describeFullData(folder: string, { bytes, files, unreadable }: DataSize, mostBytes: number): FullData | undefined {
  const fix = 'Delete what it does not need there';
  if (unreadable !== undefined) return { problem: `its data folder ${folder} cannot be looked through (${unreadable})`, fix };
  if (files > MAX_DATA_FILES) return { problem: `its data folder ${folder} holds more than ${MAX_DATA_FILES} files`, fix };
  if (bytes <= mostBytes) return undefined;
  return { problem: `its data folder ${folder} holds more than ${mostBytes / 1e6} MB`, fix: `${fix}, or raise plugins.data_mb` };
}
export const findFullData = async (folder: string, mostBytes: number): Promise<FullData | undefined> =>
  describeFullData(folder, await measureData(folder, mostBytes), mostBytes);
