import { cpSync, linkSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { randomHex } from '../../../base/ids.ts';

/** Moves a file, link or folder, also to another disk. `to` must not be there; until all of it is, it bears another name. */
export function move(from: string, to: string): void {
  try {
    renameNew(from, to);
  } catch (error) {
    if (findErrorCode(error) !== 'EXDEV') throw error;
    const beside = join(dirname(to), `.hermes-${randomHex(12)}.tmp`);
    try {
      cpSync(from, beside, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
      renameNew(beside, to);
    } finally {
      rmSync(beside, { recursive: true, force: true });
    }
    rmSync(from, { recursive: true });
  }
}

/** A rename that never takes anything's place. Folders have no way to ask for that but to look first. */
export function renameNew(from: string, to: string): void {
  if (lstatSync(from).isDirectory()) {
    if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) throw existsError(to);
    // An empty folder of our own: the rename takes its place, and nobody else can.
    mkdirSync(to);
    try {
      return renameSync(from, to);
    } catch (error) {
      rmdirSync(to);
      throw error;
    }
  }
  try {
    linkSync(from, to);
  } catch (error) {
    if (!UNLINKABLE.has(String(findErrorCode(error)))) throw error;
    if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) throw existsError(to);
    return renameSync(from, to);
  }
  unlinkSync(from);
}
/** Disks without a second name for a file, and files of others, which may not be given one. */
const UNLINKABLE: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS', 'EACCES']);

export const existsError = (path: string): Error =>
  Object.assign(new Error(`EEXIST: something is there already, ${path}`), { code: 'EEXIST' });
export const findErrorCode = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** What something takes, everything below it included. */
export function countBytesBelow(path: string): number {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return found?.size ?? 0;
  return readdirSync(path).reduce((sum, name) => sum + countBytesBelow(join(path, name)), 0);
}
