import type { PluginLook } from './plugin-child.ts';
import { describeFullData, measureData } from './measure-data.ts';
import { describeExcess, measureProcesses } from './measure-processes.ts';

export interface PluginLookOptions {
  /** The data folder, as the owner sees it. */
  readonly data: string;
  readonly maxDataBytes: number;
  /** Folders of its programs in `/proc`; none where there is no such folder, or not yet. */
  findPrograms(): readonly string[];
}

/** Looking through the folder takes at most this part of the time. */
const SHARE = 50;
const DELETED = 'files that it deleted and still has open take more room than its data folder may hold';

/** Looks what a plugin holds. Its folder is looked through when it can be full by what was written since, and every now and then. */
export function createPluginLook({ data, maxDataBytes, findPrograms }: PluginLookOptions): () => Promise<PluginLook> {
  let seen = { bytes: 0, written: 0, next: 0 };
  return async () => {
    const processes = measureProcesses(findPrograms());
    const { deletedBytes, writtenBytes: written } = processes;
    const full = async (): Promise<string | undefined> => {
      const before = performance.now();
      if (before < seen.next && seen.bytes + written - seen.written <= maxDataBytes) return undefined;
      const size = await measureData(data, maxDataBytes);
      const now = performance.now();
      seen = { bytes: size.bytes + deletedBytes, written, next: now + (now - before) * SHARE };
      const found = describeFullData(data, size, maxDataBytes);
      if (found !== undefined) return `${found.problem}. ${found.fix}`;
      return seen.bytes > maxDataBytes ? DELETED : undefined;
    };
    const excess = describeExcess(processes) ?? (await full());
    const activity = JSON.stringify([processes, seen.bytes]);
    return { activity, ...(excess !== undefined && { excess }) };
  };
}
