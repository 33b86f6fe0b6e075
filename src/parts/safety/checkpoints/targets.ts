import { isWithin } from '../../../base/within.ts';
import { isFolder, findKeepRoot, type KeepRequest } from './keep-request.ts';

/** What is kept under one root: all of it, or the places named. Paths are relative to it. */
export type KeepTarget =
  | { readonly root: string; readonly whole: true }
  | { readonly root: string; readonly whole: false; readonly paths: readonly string[] };

export interface CheckpointContext {
  /** The owner's home folder: too much to be kept as a whole, like everything above it. */
  readonly home: string;
  /** The profile's folder. */
  readonly profile: string;
  /** Files of our own that must never be put back under a running program. */
  readonly own: readonly string[];
}

/** Folders that are never kept as a whole; what is named in them still is. */
export const isBarred = (folder: string, { home, profile }: CheckpointContext): boolean =>
  isWithin(folder, home) || isWithin(folder, profile);

/** Single places, grouped by the folder they are kept under. Named folders are kept whole, unless they are barred. */
export function groupKeepTargets({ paths, folder, mutation }: KeepRequest, cwd: string, context: CheckpointContext): KeepTarget[] {
  const work = folder ?? cwd;
  const open = paths.filter((path) => !context.own.some((ours) => isWithin(ours, path)));
  const folders = open.filter((path) => mutation === 'destroys' && isFolder(path) && !isBarred(path, context));
  const files = open.filter((path) => path !== '/' && !isFolder(path) && !folders.some((above) => isWithin(above, path)));
  const byRoot = Map.groupBy(files, (path) => findKeepRoot(path, work));
  return [
    ...outermost(folders).map((root): KeepTarget => ({ root, whole: true })),
    ...[...byRoot].map(([root, found]): KeepTarget => ({ root, whole: false, paths: found.map((path) => below(root, path)) })),
  ];
}

const outermost = (folders: readonly string[]): string[] =>
  [...new Set(folders)].filter((folder) => !folders.some((other) => other !== folder && isWithin(other, folder)));

const below = (root: string, path: string): string => path.slice(root === '/' ? 1 : root.length + 1);
