import { lstatSync, readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { isWithin } from '../../../base/within.ts';
import { isScanned, isSkippedFolder } from '../checkpoints/scan.ts';

export interface KeptOptions {
  readonly workspace: string;
  /** Bytes of the largest file that a checkpoint keeps before a command; absent when none are made. */
  readonly maxKeptBytes?: number;
}

/** Names looked at before a folder counts as too large to be sure of. */
const MAX_NAMES = 5_000;

/**
 * Whether the checkpoint made before a line that starts in `folder` keeps all that lies at a path: everything a look at that
 * folder comes to, and files that are named elsewhere in the workspace. What is not there cannot be lost.
 */
export function createKeptLookup(folder: string, { workspace, maxKeptBytes }: KeptOptions): (path: string) => boolean {
  return (path) => {
    if (maxKeptBytes === undefined || !isWithin(workspace, path)) return false;
    if (isWithin(folder, path) && path !== folder && !isScanned(folder, path)) return false;
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() !== true) return found === undefined || (found.isFile() && found.size <= maxKeptBytes);
    return isWithin(folder, path) && holdsOnlyKept(path, maxKeptBytes);
  };
}

/** Whether a folder holds no file too large to be kept. What can be had again from elsewhere does not count, nor does a repository's own. */
function holdsOnlyKept(root: string, maxBytes: number): boolean {
  let left = MAX_NAMES;
  for (const open = [root]; open.length > 0;) {
    const folder = open.pop() ?? root;
    for (const item of itemsOf(folder)) {
      if (--left <= 0) return false;
      const path = join(folder, item.name);
      if (item.isDirectory() && !isSkippedFolder(item.name)) open.push(path);
      if (item.isFile() && (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) return false;
    }
  }
  return true;
}
function itemsOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
