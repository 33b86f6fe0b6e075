import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Where a path leads, links followed; nothing when nothing is there. The native way also gives names their true case where a disk does not mind. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** The same for what may not be there, or not any more: it is named below its nearest existing parent. */
export function resolveFromNearestParent(path: string): string {
  const parent = dirname(path);
  return realPath(path) ?? (parent === path ? path : join(resolveFromNearestParent(parent), basename(path)));
}
