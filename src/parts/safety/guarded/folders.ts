import { readdirSync, type Dirent } from 'node:fs';
import { toStamp, tryLstat } from './file-state.ts';

export interface FolderItems {
  readonly names: ReadonlySet<string>;
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly links: readonly string[];
}
/** Lists folders, and reads one again only when it has changed. */
export type ListFolder = (path: string) => FolderItems | undefined;

/** Longer than one tick of any disk's clock: a folder that changed just now may change again within it. */
export const TICK_MS = 100;

export function createFolderLister(): ListFolder {
  const known = new Map<string, { readonly stamp: string; readonly items: FolderItems }>();
  return (path) => {
    const found = tryLstat(path);
    if (found === undefined || !found.isDirectory()) {
      known.delete(path);
      return undefined;
    }
    const stamp = toStamp(found);
    const before = known.get(path);
    if (before?.stamp === stamp) return before.items;
    const items = read(path);
    if (Date.now() - Number(found.ctimeMs) > TICK_MS) known.set(path, { stamp, items });
    else known.delete(path);
    return items;
  };
}

function read(path: string): FolderItems {
  const items = tryReaddir(path);
  const named = (is: (item: Dirent) => boolean) => items.filter(is).map(({ name }) => name);
  return {
    names: new Set(items.map(({ name }) => name)),
    folders: named((item) => item.isDirectory()),
    files: named((item) => !item.isDirectory() && !item.isSymbolicLink()),
    links: named((item) => item.isSymbolicLink()),
  };
}

function tryReaddir(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}
