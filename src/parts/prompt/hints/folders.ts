import { statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import { FOREIGN_FOLDERS, HINT_LIMITS } from './tables.ts';

/** Folders the paths lead to and those above them, as far as they were not visited; the outermost first. Links are followed. */
export function collectUnvisitedFolders(paths: readonly string[], root: string, visited: ReadonlySet<string>): readonly string[] {
  const fresh = new Set<string>();
  for (const path of paths) {
    for (const folder of climb(path, root)) {
      if (visited.has(folder)) break;
      fresh.add(folder);
    }
  }
  return [...fresh].toSorted((a, b) => depth(a) - depth(b));
}

/** From the folder of a path upwards, the root left out; nothing for a path that really lies outside the root. */
function climb(path: string, root: string): readonly string[] {
  const folder = folderOf(path);
  if (folder === undefined || !isWithin(root, folder)) return [];
  const way = relative(root, folder)
    .split(sep)
    .filter((name) => name !== '');
  const foreign = way.findIndex((name) => FOREIGN_FOLDERS.has(name));
  const own = foreign === -1 ? way : way.slice(0, foreign);
  return own.map((_, index) => join(root, ...own.slice(0, own.length - index))).slice(0, HINT_LIMITS.parents + 1);
}

/** The real folder of a file; of something that is not there, the nearest folder above it that is. */
function folderOf(path: string): string | undefined {
  if (isFolder(path)) return realPath(path);
  const above = dirname(path);
  return above === path ? undefined : folderOf(above);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

const depth = (path: string): number => path.split(sep).length;
