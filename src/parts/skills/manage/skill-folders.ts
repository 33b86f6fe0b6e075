import { chmodSync, copyFileSync, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withFileLock, type LockOptions } from '../../../base/file-lock.ts';
import { makeFolder } from '../../../base/folders.ts';
import { randomHex } from '../../../base/ids.ts';
import { SKILL_FILE } from '../catalog/discover.ts';
import { listSkillFiles, UNFINISHED } from '../view/files.ts';
import { resolveFromNearestParent } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';

/** Hidden, so that no catalog takes what is being built for a skill. */
const STAGE = '.new-';

/** One change at a time below a skills folder, over all processes. What a killed one left half built is cleared away first. */
export const withSkillsLock = <Value>(userDir: string, work: () => Promise<Value>, options: LockOptions = {}): Promise<Value> =>
  withFileLock(
    join(userDir, '.changes'),
    () => {
      sweep(userDir);
      return work();
    },
    options,
  );

function sweep(userDir: string): void {
  for (const name of readdirSync(userDir)) if (name.startsWith(STAGE)) rmSync(join(userDir, name), { recursive: true, force: true });
}

/** A place beside, where a folder is built before it is moved to where it belongs. Only while alone. */
export function makeStage(userDir: string): string {
  const folder = join(userDir, `${STAGE}${process.pid}-${randomHex(8)}`);
  makeFolder(folder);
  return folder;
}

/** Plain copies of every file of a skill; a read-only original does not make a read-only copy. */
export function copySkill(from: string, to: string): void {
  for (const { path } of listSkillFiles(from).files) {
    makeFolder(dirname(join(to, path)));
    copyFileSync(join(from, path), join(to, path));
    chmodSync(join(to, path), (statSync(join(to, path)).mode & 0o777) | 0o600);
  }
}

/** Moves a finished folder to where nothing is yet. */
export function moveIn(staged: string, target: string): void {
  makeFolder(dirname(target));
  renameSync(staged, target);
}

/** Nothing is deleted: it is moved where the owner can find it. Gives the new place. */
export function moveToTrash(userDir: string, name: string, path: string, within = '', now = Date.now()): string {
  const stamp = new Date(now).toISOString().replaceAll(/[-:.]/g, '');
  const bin = join(userDir, '.trash');
  for (let count = 0; ; count++) {
    const folder = join(bin, `${name}-${stamp}${count === 0 ? '' : `-${count}`}`);
    if (existsSync(folder)) continue;
    const place = within === '' ? folder : join(folder, within);
    makeFolder(dirname(place));
    renameSync(path, place);
    return place;
  }
}

/** Unfinished copies that a killed write left in a skill. */
export function tidy(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile() && UNFINISHED.test(entry.name)) rmSync(join(entry.parentPath, entry.name), { force: true });
}

/** Does the folder really lie below the skills folder, whatever links there are? Neither may be there yet. */
export function isInsideSkillsFolder(userDir: string, folder: string): boolean {
  const [root, real] = [resolveFromNearestParent(userDir), resolveFromNearestParent(folder)];
  return isWithin(root, real) && real !== root;
}

/** A skill between the skills folder and this place would hide it: the catalog does not look inside of skills. */
export function findEnclosingSkill(userDir: string, target: string): string | undefined {
  for (let above = dirname(target); above !== userDir && above !== dirname(above); above = dirname(above))
    if (existsSync(join(above, SKILL_FILE))) return above;
  return undefined;
}
