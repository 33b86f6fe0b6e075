import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import type { WallProfile } from '../../../contracts/wall.ts';
import { tryLstat } from './file-state.ts';
import { createLooker } from './look.ts';
import { findRepositoryAbove, openRepository, type Repository } from './repository.ts';

/** A path inside a sandbox that is a mount of its own: it cannot be moved away, and an `ro` one not be changed. */
export interface GitMount {
  readonly path: string;
  readonly how: 'rw' | 'ro';
}
export interface GitMounts {
  readonly mounts: readonly GitMount[];
  /** Git folders outside of the workspace that commands may write to by these. */
  readonly gitFolders: readonly string[];
}

/**
 * The repositories of a workspace as a sandbox mounts them: git folders that cannot be moved away, with hooks that cannot be
 * changed. Settings are compared instead, because git replaces that file. Where somebody watches, git also works in a part of
 * a repository and in a linked worktree.
 */
export function listGitMounts(workspace: string, profile: WallProfile): GitMounts {
  const main = openRepository(join(workspace, '.git'), workspace) ?? findRepositoryAbove(workspace);
  const isOpened = profile === 'attended' && main !== undefined && isSafeToOpen(main);
  const inside = [...createLooker({ roots: [workspace] })().repositories.values()]
    .flatMap(listFolders)
    .filter((path) => isWithin(workspace, path));
  const elsewhere = (isOpened ? listFolders(main) : []).filter((path) => !isWithin(workspace, path));
  const all = [...new Set([...inside, ...elsewhere])];
  const isInner = (path: string): boolean => all.some((other) => other !== path && isWithin(other, path));
  return {
    mounts: all.flatMap((path): GitMount[] => [...(isInner(path) ? [] : [{ path, how: 'rw' } as const]), ...readOnlyParts(path)]),
    gitFolders: elsewhere,
  };
}
const listFolders = ({ gitFolder, common }: Repository): readonly string[] => [common, gitFolder];

/** The agent never gets at a repository that is no part of a project: the home itself, or above it. */
const isSafeToOpen = ({ gitFolder, worktree }: Repository): boolean => !isWithin(worktree ?? gitFolder, realPath(homedir()) ?? homedir());

/** Nobody changes hooks in passing. A folder that is missing is made, so that none can be made there. */
function readOnlyParts(gitFolder: string): readonly GitMount[] {
  const hooks = join(gitFolder, 'hooks');
  if (tryLstat(join(gitFolder, 'objects')) === undefined) return [];
  if (tryLstat(hooks) === undefined) tryMake(hooks);
  return tryLstat(hooks)?.isDirectory() === true ? [{ path: hooks, how: 'ro' }] : [];
}

const tryMake = (folder: string): void => {
  try {
    mkdirSync(folder);
  } catch {
    // A repository we may not write to is none that commands may.
  }
};
