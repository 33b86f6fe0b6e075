import { measureFolder, type FolderSize } from '../../base/folder-size.ts';

/** So many files take a disk's table of files as bytes take its room. */
export const MAX_DATA_FILES = 20_000;

/** What a plugin's folder takes. */
export const measureData = (folder: string, mostBytes: number): Promise<FolderSize> =>
  measureFolder(folder, { bytes: mostBytes, files: MAX_DATA_FILES });

export interface FullData {
  readonly problem: string;
  readonly fix: string;
}
/** What is wrong with it and what to do; nothing while it is within its bounds. */
export function describeFullData(folder: string, { bytes, files, unreadable }: FolderSize, mostBytes: number): FullData | undefined {
  const fix = 'Delete what it does not need there';
  if (unreadable !== undefined) return { problem: `its data folder ${folder} cannot be looked through (${unreadable})`, fix };
  if (files > MAX_DATA_FILES) return { problem: `its data folder ${folder} holds more than ${MAX_DATA_FILES} files`, fix };
  if (bytes <= mostBytes) return undefined;
  return { problem: `its data folder ${folder} holds more than ${mostBytes / 1e6} MB`, fix: `${fix}, or raise plugins.data_mb` };
}
export const findFullData = async (folder: string, mostBytes: number): Promise<FullData | undefined> =>
  describeFullData(folder, await measureData(folder, mostBytes), mostBytes);
