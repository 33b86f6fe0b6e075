import { setTimeout as sleep } from 'node:timers/promises';
import { measureProcesses } from '../../base/process-sizes.ts';
import type { UseLook } from '../../base/watch-use.ts';
import { describeExcess } from './describe-excess.ts';
import { describeFullData, measureData } from './measure-data.ts';

export interface PluginLookOptions {
  /** The data folder, as the owner sees it. */
  readonly data: string;
  readonly maxDataBytes: number;
  /** Its folder for temporary files, where that takes the disk; a file system of its own has a size. */
  readonly temporary?: string;
  /** Folders of its programs in `/proc`; none where there is no such folder, or not yet. */
  findPrograms(): readonly string[];
}

const ENDING_MS = 50;
/** Looking through the folder takes at most this part of the time. */
const SHARE = 50;
/** As much as the file system has that stands there behind bubblewrap. */
const MAX_TEMPORARY_MB = 64;
const MAX_TEMPORARY_BYTES = MAX_TEMPORARY_MB * 1e6;
const DELETED = 'files that it deleted and still has open take more room than its data folder may hold';

/** Looks what a plugin holds. Its folder is looked through when it can be full by what was written since, and every now and then. */
export function createPluginLook({ data, maxDataBytes, temporary, findPrograms }: PluginLookOptions): () => Promise<UseLook> {
  let seen = { bytes: 0, temporary: 0, written: 0, next: 0 };
  const measureTemporary = async (): Promise<number> =>
    temporary === undefined ? 0 : (await measureData(temporary, MAX_TEMPORARY_BYTES)).bytes;
  return async () => {
    let processes = measureProcesses(findPrograms());
    if (processes.isHiding) {
      // A program that is about to end cannot be looked into either, for a moment.
      await sleep(ENDING_MS);
      processes = measureProcesses(findPrograms());
    }
    const { deletedBytes, writtenBytes: written } = processes;
    const full = async (): Promise<string | undefined> => {
      const before = performance.now();
      const since = written - seen.written;
      const canBeFull = seen.bytes + since > maxDataBytes || (temporary !== undefined && seen.temporary + since > MAX_TEMPORARY_BYTES);
      if (before < seen.next && !canBeFull) return undefined;
      const size = await measureData(data, maxDataBytes);
      const inTemporary = await measureTemporary();
      const now = performance.now();
      seen = { bytes: size.bytes + deletedBytes, temporary: inTemporary, written, next: now + (now - before) * SHARE };
      const found = describeFullData(data, size, maxDataBytes);
      if (found !== undefined) return `${found.problem}. ${found.fix}`;
      if (inTemporary > MAX_TEMPORARY_BYTES) return `its folder for temporary files holds more than ${MAX_TEMPORARY_MB} MB`;
      return seen.bytes > maxDataBytes ? DELETED : undefined;
    };
    const excess = describeExcess(processes) ?? (await full());
    const activity = JSON.stringify([processes, seen.bytes, seen.temporary]);
    return { activity, ...(excess !== undefined && { excess }) };
  };
}
