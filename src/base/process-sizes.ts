import { existsSync, readdirSync, statSync } from 'node:fs';
import { isMissing } from './errors.ts';
import { attempt, linkIfThere, readIfThere } from './peek.ts';

const BLOCK = 512;

/** What programs hold together. */
export interface ProcessSizes {
  /** Programs and their threads: the kernel has only so many of both. */
  readonly tasks: number;
  /** Of their own or shared by them, in memory or swapped out; not the files that they run. */
  readonly memoryMb: number;
  readonly openFiles: number;
  /** Files that are deleted and still open: they take the disk, and no folder shows them. */
  readonly deletedBytes: number;
  /** What they wrote so far. Grows with whatever they do. */
  readonly writtenBytes: number;
  /** Nobody may see what one of them has open: it may be anything. */
  readonly isHiding: boolean;
}

/**
 * Folders in `/proc` of all programs behind a wall, by the first of them: they have a table of processes of their own, which shows
 * all of them and nobody else.
 */
export function findWalledPrograms(first: number | undefined): readonly string[] {
  const table = `/proc/${first}/root/proc`;
  // As long as the wall is not up, the table is everybody's, and so are we in it.
  const isUp = first !== undefined && existsSync(`${table}/1/status`) && linkIfThere(`${table}/self`) === undefined;
  // The first is the wall's own, with nothing of a command in it.
  return isUp
    ? (attempt(() => readdirSync(table)) ?? []).filter((name) => /^\d+$/.test(name) && name !== '1').map((name) => `${table}/${name}`)
    : [];
}

/**
 * A program and what it and its threads started. What breaks away from it is found only where the program takes it in, as the
 * launcher of the floor does.
 */
export function findPrograms(pid: number | undefined): readonly string[] {
  const found = pid === undefined || !existsSync(`/proc/${pid}/status`) ? [] : [String(pid)];
  // Whatever is put behind is looked at as well.
  for (const each of found)
    for (const thread of attempt(() => readdirSync(`/proc/${each}/task`)) ?? [])
      found.push(...listNumbers(`/proc/${each}/task/${thread}/children`));
  return found.map((each) => `/proc/${each}`);
}

/** Each may go while it is looked at. */
export function measureProcesses(programs: readonly string[]): ProcessSizes {
  let [tasks, memoryKb, openFiles, deletedBytes, writtenBytes, isHiding] = [0, 0, 0, 0, 0, false];
  const seen = new Set<string>();
  for (const program of programs) {
    const status = read(`${program}/status`);
    tasks += readField(status, 'Threads');
    for (const name of ['RssAnon', 'RssShmem', 'VmSwap']) memoryKb += readField(status, name);
    const io = read(`${program}/io`);
    writtenBytes += Math.max(readField(io, 'wchar'), readField(io, 'write_bytes'));
    const open = listOpen(`${program}/fd`);
    // A program that has ended shows nothing until its parent asks for it. One whose first thread alone ended has others.
    const hasEnded = !status.includes('\nVmSize:') && readField(status, 'Threads') <= 1;
    isHiding ||= open === undefined && !hasEnded;
    openFiles += open?.length ?? 0;
    for (const path of open ?? []) {
      const found = attempt(() => statSync(path));
      if (found === undefined || !found.isFile() || found.nlink > 0 || seen.has(`${found.dev} ${found.ino}`)) continue;
      seen.add(`${found.dev} ${found.ino}`);
      deletedBytes += found.blocks * BLOCK;
    }
  }
  return { tasks, memoryMb: Math.round(memoryKb / 1_000), openFiles, deletedBytes, writtenBytes, isHiding };
}

const readField = (text: string, name: string): number => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(text)?.[1] ?? 0);
const read = (path: string): string => readIfThere(path, 'latin1');
const listNumbers = (path: string): readonly string[] =>
  read(path)
    .split(' ')
    .filter((word) => /^\d+$/.test(word));

/** Nothing where nobody may look; none where the program has gone. */
function listOpen(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder).map((name) => `${folder}/${name}`);
  } catch (error) {
    return isMissing(error) || !existsSync(folder) ? [] : undefined;
  }
}
